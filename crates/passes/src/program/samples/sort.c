/* A sort whose unoptimised IR has the blocks of CTOS's Figure 4. The casts are its bitcasts, which
   only compilers with typed pointers make (clang 14 and older). */
void sort(int *a, int n) {
  int swapped, j, t;
  (void)(char *)&swapped;
  (void)(char *)&j;
  (void)(char *)&t;
  swapped = 1;
  while (swapped) {
    swapped = 0;
    for (j = 0; j < n; j++)
      if (a[j] > a[j + 1]) {
        t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
        swapped = 1;
      }
  }
}
