//! Asking the predicate, on all cores, with the answers in an order that the cores don't decide.

use crate::Change;
use crate::predicate::{Answer, Halt, Predicate};
use crate::walk::Walk;
use base::{Budget, ContentId};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How far a reduction has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Bytes of the present text.
    pub bytes: usize,
    /// Questions that the reduction has asked; those that cores asked ahead in vain don't count.
    pub tries: u64,
    /// Those that were answered with yes.
    pub kept: u64,
    /// Candidates that showed another bug, and were refused for it.
    pub slipped: u64,
    /// Candidates that were not worth a question.
    pub implausible: u64,
}

impl Progress {
    /// What the questions so far cost, where each that was answered with yes costs as much as `yes` others.
    #[must_use]
    pub fn cost(&self, yes: u64) -> u64 {
        self.tries + self.kept * yes.saturating_sub(1)
    }
}

/// How a search is made.
pub struct Settings<'a> {
    /// Questions at the same time.
    pub jobs: usize,
    /// How many questions may be asked, or for how long.
    pub budget: Budget,
    /// How many questions of the budget one with the answer yes counts for.
    pub yes: u64,
    /// Has somebody asked to stop?
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told after each question, with the present text.
    pub tell: &'a (dyn Fn(&Progress, &[u8]) + Sync),
    /// Answers of an earlier, interrupted search: the same questions are not asked again.
    pub known: Vec<(ContentId, Answer)>,
    /// Told every answer that was asked for, so that a later search can know it.
    pub remember: &'a (dyn Fn(ContentId, Answer) + Sync),
}

/// One question after the other, without an end, and nobody told.
impl Default for Settings<'_> {
    fn default() -> Self {
        Settings {
            jobs: 1,
            budget: Budget::new(None, None),
            yes: 1,
            stop: &|| false,
            tell: &|_, _| {},
            known: Vec::new(),
            remember: &|_, _| {},
        }
    }
}

/// A search for the smallest text.
///
/// The sequence of questions is fixed by the answers alone. With several jobs the answers to
/// questions that are likely to come are asked for ahead, and thrown away when they don't: the
/// result is the same for any number of jobs.
pub struct Search<'a> {
    predicate: &'a dyn Predicate,
    settings: Settings<'a>,
    answers: Mutex<Answers>,
    /// A new answer, or a new queue.
    news: Condvar,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Answers {
    known: HashMap<ContentId, Answer>,
    /// Asked for, in order of need.
    queue: VecDeque<(ContentId, Vec<u8>)>,
    /// Being asked.
    running: HashSet<ContentId>,
    /// Asked by the sequence itself: these count.
    counted: HashSet<ContentId>,
    /// Why a question had no answer.
    halt: Option<Halt>,
    /// No more questions come.
    closed: bool,
}

impl<'a> Search<'a> {
    /// A search by `predicate`.
    #[must_use]
    pub fn new(predicate: &'a dyn Predicate, mut settings: Settings<'a>) -> Search<'a> {
        let known = std::mem::take(&mut settings.known).into_iter().collect();
        Search {
            predicate,
            settings,
            answers: Mutex::new(Answers { known, ..Answers::default() }),
            news: Condvar::new(),
            progress: Mutex::new(Progress::default()),
        }
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// May the search go on?
    #[must_use]
    pub fn may_go_on(&self) -> bool {
        let cost = self.progress().cost(self.settings.yes);
        !self.is_stopped() && self.settings.budget.allows(cost)
    }

    /// Has somebody asked to stop?
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        (self.settings.stop)()
    }

    /// Does the predicate hold? Counts as a question.
    ///
    /// # Errors
    /// When there is no answer.
    pub fn ask(&self, text: &[u8]) -> Result<Answer, Halt> {
        let id = ContentId::of(text);
        let known = self.lock().known.get(&id).copied();
        let answer = match known {
            Some(answer) => answer,
            None => {
                let answer = self.answer(text)?;
                self.learn(id, answer);
                answer
            }
        };
        self.count(id, answer, text);
        Ok(answer)
    }

    /// Makes as many of `changes` as the predicate allows, larger groups first. Nothing when none
    /// can be made, or when the search may not go on.
    ///
    /// # Errors
    /// When the predicate has no answer. What was reached before is lost to the caller only if it
    /// was not told.
    pub fn apply(&self, text: &[u8], changes: &[Change]) -> Result<Option<Vec<u8>>, Halt> {
        if self.settings.jobs <= 1 {
            return self.walk(text, changes, |candidate, _| self.ask(&candidate));
        }
        self.lock().closed = false;
        std::thread::scope(|scope| {
            for _ in 0..self.settings.jobs {
                scope.spawn(|| self.work());
            }
            // Also when this thread panics: the others would wait for ever.
            let _closing = Closing(self);
            self.walk(text, changes, |candidate, walk| {
                self.ask_ahead(candidate, walk, text, changes)
            })
        })
    }

    fn walk(
        &self,
        text: &[u8],
        changes: &[Change],
        ask: impl Fn(Vec<u8>, &Outlook) -> Result<Answer, Halt>,
    ) -> Result<Option<Vec<u8>>, Halt> {
        let mut outlook = Outlook { walk: Walk::new(changes.len()), single: 0.5, several: 0.5 };
        let mut present: Option<Vec<u8>> = None;
        while let Some(candidate) = outlook.walk.candidate(text, changes) {
            if candidate == present.as_deref().unwrap_or(text) {
                outlook.walk.skip();
                continue;
            }
            if !self.may_go_on() {
                break;
            }
            let interesting = ask(candidate.clone(), &outlook)? == Answer::Interesting;
            outlook.learn(interesting);
            if interesting {
                self.progress.lock().unwrap_or_else(PoisonError::into_inner).bytes =
                    candidate.len();
                outlook.walk.accept();
                present = Some(candidate);
            } else {
                outlook.walk.reject();
            }
            (self.settings.tell)(&self.progress(), present.as_deref().unwrap_or(text));
        }
        Ok(present)
    }

    /// Waits for the answer about `candidate`, while other threads ask what comes next.
    fn ask_ahead(
        &self,
        candidate: Vec<u8>,
        outlook: &Outlook,
        text: &[u8],
        changes: &[Change],
    ) -> Result<Answer, Halt> {
        let id = ContentId::of(&candidate);
        let ahead = outlook.ahead(self.settings.jobs + 1, text, changes);
        let mut answers = self.lock();
        answers.queue.clear();
        for text in std::iter::once(candidate.clone()).chain(ahead) {
            let id = ContentId::of(&text);
            if !answers.known.contains_key(&id) && !answers.running.contains(&id) {
                answers.queue.push_back((id, text));
            }
        }
        self.news.notify_all();
        let answer = loop {
            if let Some(halt) = answers.halt.take() {
                return Err(halt);
            }
            if let Some(answer) = answers.known.get(&id) {
                break *answer;
            }
            answers = self.news.wait(answers).unwrap_or_else(PoisonError::into_inner);
        };
        drop(answers);
        self.count(id, answer, &candidate);
        Ok(answer)
    }

    /// A thread that answers what is in the queue.
    fn work(&self) {
        let mut answers = self.lock();
        while !answers.closed {
            let Some((id, text)) = answers.queue.pop_front() else {
                answers = self.news.wait(answers).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            answers.running.insert(id);
            drop(answers);
            let answer = self.answer(&text);
            answers = self.lock();
            answers.running.remove(&id);
            match answer {
                Ok(answer) => {
                    drop(answers);
                    self.learn(id, answer);
                    answers = self.lock();
                }
                Err(halt) => answers.halt = Some(halt),
            }
            self.news.notify_all();
        }
    }

    fn answer(&self, text: &[u8]) -> Result<Answer, Halt> {
        if self.predicate.is_plausible(text) {
            self.predicate.ask(text)
        } else {
            Ok(Answer::Implausible)
        }
    }

    fn learn(&self, id: ContentId, answer: Answer) {
        (self.settings.remember)(id, answer);
        self.lock().known.insert(id, answer);
    }

    fn count(&self, id: ContentId, answer: Answer, text: &[u8]) {
        if !self.lock().counted.insert(id) {
            return;
        }
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.bytes == 0 {
            progress.bytes = text.len();
        }
        match answer {
            Answer::Implausible => progress.implausible += 1,
            Answer::Interesting => {
                (progress.tries, progress.kept) = (progress.tries + 1, progress.kept + 1)
            }
            Answer::Boring => progress.tries += 1,
            Answer::Slipped => {
                (progress.tries, progress.slipped) = (progress.tries + 1, progress.slipped + 1);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends the threads home.
struct Closing<'a, 's>(&'a Search<'s>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        let mut answers = self.0.lock();
        answers.closed = true;
        answers.queue.clear();
        drop(answers);
        self.0.news.notify_all();
    }
}

/// A place in the walk, and how questions tended to be answered lately.
struct Outlook {
    walk: Walk,
    /// The share of single changes that could be made, the recent ones weighing more.
    single: f64,
    /// The same of groups.
    several: f64,
}

impl Outlook {
    fn learn(&mut self, interesting: bool) {
        let share = if self.walk.group_len() == 1 { &mut self.single } else { &mut self.several };
        *share += (f64::from(u8::from(interesting)) - *share) * 0.2;
    }

    /// The questions that are likely to follow the next one.
    fn ahead(&self, count: usize, text: &[u8], changes: &[Change]) -> Vec<Vec<u8>> {
        let mut walk = self.walk.clone();
        let mut ahead = Vec::with_capacity(count);
        while ahead.len() < count {
            let share = if walk.group_len() == 1 { self.single } else { self.several };
            if share > 0.5 {
                walk.accept()
            } else {
                walk.reject()
            }
            match walk.candidate(text, changes) {
                Some(candidate) => ahead.push(candidate),
                None => break,
            }
        }
        ahead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Edit;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn letters(text: &[u8]) -> Vec<Change> {
        (0..text.len()).map(|at| vec![Edit::delete(at..at + 1)]).collect()
    }

    fn reduce(
        predicate: &dyn Predicate,
        text: &[u8],
        jobs: usize,
        amount: Option<u64>,
    ) -> (Vec<u8>, Progress) {
        let budget = Budget::new(None, amount);
        let settings = Settings { jobs, budget, ..Settings::default() };
        let search = Search::new(predicate, settings);
        let mut text = text.to_vec();
        while let Some(smaller) = search.apply(&text, &letters(&text)).unwrap() {
            text = smaller;
        }
        (text, search.progress())
    }

    /// Keeps the letters of "bug" in order; another order of "b" and "g" is another bug.
    fn bug(text: &[u8]) -> Result<Answer, Halt> {
        let mut wanted = b"bug".iter();
        let mut next = wanted.next();
        for letter in text {
            if Some(letter) == next {
                next = wanted.next();
            }
        }
        Ok(match next {
            None => Answer::Interesting,
            Some(_) if text.starts_with(b"g") => Answer::Slipped,
            Some(_) => Answer::Boring,
        })
    }

    #[test]
    fn what_is_left_is_minimal_and_does_not_depend_on_the_number_of_jobs() {
        let text: Vec<u8> = b"a big abundance of ugly guesses, bounded by gaps".repeat(3);
        let (expect, progress) = reduce(&bug, &text, 1, None);
        assert_eq!(expect, b"bug");
        assert!(progress.slipped > 0 && progress.kept > 0, "{progress:?}");
        for jobs in [2, 3, 8] {
            assert_eq!(reduce(&bug, &text, jobs, None), (expect.clone(), progress), "{jobs} jobs");
        }
    }

    #[test]
    fn an_amount_of_questions_gives_the_same_result_for_any_number_of_jobs() {
        let text = b"a big abundance of ugly guesses, bounded by gaps";
        for amount in [1, 5, 17] {
            let one = reduce(&bug, text, 1, Some(amount));
            assert_eq!(one.1.tries, amount);
            assert_eq!(one, reduce(&bug, text, 4, Some(amount)));
        }
    }

    #[test]
    fn where_yes_is_dear_fewer_are_asked_for() {
        let text = b"a big abundance of ugly guesses, bounded by gaps";
        let amount = |yes| {
            let budget = Budget::new(None, Some(20));
            let search = Search::new(&bug, Settings { budget, yes, ..Settings::default() });
            search.apply(text, &letters(text)).unwrap();
            search.progress()
        };
        let (cheap, dear) = (amount(1), amount(8));
        assert_eq!(cheap.tries, 20);
        assert!(dear.kept < cheap.kept && dear.tries + 7 * dear.kept >= 20, "{dear:?}");
    }

    #[test]
    fn known_answers_are_not_asked_again() {
        let text = b"a big abundance of ugly guesses";
        let memory: Mutex<Vec<(ContentId, Answer)>> = Mutex::default();
        let asked = AtomicU64::new(0);
        let predicate = |text: &[u8]| {
            asked.fetch_add(1, Ordering::SeqCst);
            bug(text)
        };
        let run = |known| {
            let remember = |id, answer| memory.lock().unwrap().push((id, answer));
            let settings = Settings { known, remember: &remember, ..Settings::default() };
            let search = Search::new(&predicate, settings);
            let reached = search.apply(text, &letters(text)).unwrap();
            (reached, search.progress())
        };
        let first = run(Vec::new());
        let questions = asked.swap(0, Ordering::SeqCst);
        assert!(questions > 0);
        let known = memory.lock().unwrap().clone();
        assert_eq!(run(known), first);
        assert_eq!(asked.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_predicate_that_fails_ends_the_search() {
        let predicate = |_: &[u8]| Err(Halt::Failed("no disk".into()));
        let search = Search::new(&predicate, Settings { jobs: 2, ..Settings::default() });
        assert!(search.apply(b"abc", &letters(b"abc")).is_err());
    }
}
