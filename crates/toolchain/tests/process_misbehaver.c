// A program that does what argv[1] says; argv[2] marks its processes for the test to find.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static const char *mode;
static int is(const char *name) { return strcmp(mode, name) == 0; }

static int flood(int fd) {
  static char bytes[4096];
  for (;;)
    write(fd, bytes, sizeof bytes);
}

static void *forking_thread(void *unused) {
  if (fork() == 0)
    sleep(100);
  sleep(100);
  return unused;
}

// A grandchild in its own session that waits for long; returns once it is there.
static int daemonize(int keep_output) {
  int ready[2];
  char byte;
  pipe(ready);
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      signal(SIGTERM, SIG_IGN);
      signal(SIGHUP, SIG_IGN);
      if (!keep_output)
        close(0), close(1), close(2);
      write(ready[1], "x", 1);
      sleep(100);
    }
    _exit(0);
  }
  read(ready[0], &byte, 1);
  return 5;
}

static int try_to_write(int count, char **paths) {
  for (int i = 0; i < count; i++) {
    int fd = open(paths[i], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    printf("%s: %s\n", paths[i], fd < 0 ? strerror(errno) : write(fd, "x", 1) == 1 ? "written" : strerror(errno));
  }
  return 0;
}

static int network(void) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(53)};
  int pair[2], fd = socket(AF_INET, SOCK_DGRAM, 0);
  to.sin_addr.s_addr = htonl(0x7f000001);
  printf("udp: %s\n", fd < 0 ? strerror(errno) : connect(fd, (void *)&to, sizeof to) ? strerror(errno) : "connected");
  fd = socket(AF_UNIX, SOCK_STREAM, 0);
  printf("unix: %s\n", fd < 0 ? strerror(errno) : "made");
  printf("pair: %s\n", socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ? strerror(errno) : "made");
  return 0;
}

int main(int argc, char **argv) {
  mode = argv[1];
  if (is("fork bomb"))
    for (;;)
      fork();
  if (is("chain of forks"))
    for (;;)
      if (fork() != 0)
        for (;;)
          pause();
  if (is("address"))
    return printf("%p\n", malloc(1000000)) < 0;
  if (is("flood stdout"))
    return flood(1);
  if (is("flood stderr"))
    return flood(2);
  if (is("loop"))
    for (;;)
      ;
  if (is("loop in children")) {
    for (int i = 0; i < 3; i++)
      if (fork() == 0)
        for (;;)
          ;
    while (wait(0) > 0)
      ;
  }
  if (is("allocate")) {
    char *p = malloc(100000000000);
    p[argc] = 1;
    return p[argc];
  }
  if (is("allocate in a child")) {
    if (fork() == 0) {
      char *p = malloc(100000000000);
      p[argc] = 1;
    }
    wait(0);
    return 1;
  }
  if (is("reallocate")) {
    char *p = malloc(1 << 20);
    p = realloc(p, 100000000000);
    p[argc] = 1;
  }
  if (is("allocate and touch"))
    for (;;) {
      char *p = malloc(16 << 20);
      memset(p, 1, 16 << 20);
    }
  if (is("allocate little"))
    return malloc(argc * 10000000) == 0;
  if (is("stop"))
    raise(SIGSTOP);
  if (is("daemon"))
    return daemonize(0);
  if (is("daemon with stdout"))
    return daemonize(1);
  if (is("threads that fork")) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
      pthread_create(&thread, 0, forking_thread, 0);
    sleep(100);
  }
  if (is("ignore signals")) {
    for (int i = 1; i < 65; i++)
      signal(i, SIG_IGN);
    for (;;)
      sleep(100);
  }
  if (is("kill the parent")) {
    kill(getppid(), SIGKILL);
    kill(getppid(), SIGSTOP);
    return 6;
  }
  if (is("kill the group"))
    kill(0, SIGKILL);
  if (is("write"))
    return try_to_write(argc - 3, argv + 3);
  if (is("network"))
    return network();
  if (is("grow a file")) {
    int fd = open("huge", O_WRONLY | O_CREAT, 0600);
    return flood(fd);
  }
  if (is("remove the directory")) {
    char *cwd = get_current_dir_name();
    return rmdir(cwd) == 0 ? 4 : 1;
  }
  if (is("close directories")) {
    mkdir("a", 0700), mkdir("a/b", 0700), mkdir("a/b/c", 0700);
    chmod("a/b/c", 0), chmod("a/b", 0), chmod("a", 0), chmod(".", 0);
    return 0;
  }
  if (is("list descriptors"))
    for (int fd = 0; fd < 1024; fd++)
      if (fcntl(fd, F_GETFD) >= 0)
        printf("%d ", fd);
  if (is("list environment"))
    for (char **e = environ; *e; e++)
      puts(*e);
  if (is("echo")) {
    int c;
    while ((c = getchar()) != EOF)
      putchar(c), fputc(c, stderr);
  }
  if (is("exit"))
    return atoi(argv[3]);
  if (is("raise"))
    raise(atoi(argv[3]));
  if (is("signals")) {
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, 0, &blocked);
    for (int i = 1; i < 65; i++) {
      struct sigaction action;
      if (sigismember(&blocked, i) == 1 || (sigaction(i, 0, &action) == 0 && action.sa_handler != SIG_DFL))
        printf("%d ", i);
    }
  }
  return 0;
}
