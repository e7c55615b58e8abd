//! LocSeq's constrained genetic algorithm (section III-D): sequences that keep all of a given one.

use base::Random;
use std::collections::{BTreeMap, VecDeque};

/// A sequence of genes, by number.
pub type Genes = Vec<u16>;

/// How sequences are made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GeneticSettings {
    /// How many sequences a generation has; 50 (IV-A).
    pub population: usize,
    /// How likely two parents exchange their ends; 0.5 (IV-A).
    pub crossover: f64,
    /// How likely a child is changed; 0.3 (IV-A).
    pub mutation: f64,
    /// How long the first sequences are at most; 15 (IV-A).
    pub longest: usize,
    /// Are sequences bred? Otherwise all are drawn as the first are (LocSeq_r).
    pub breeds: bool,
    /// Does every sequence keep all of the given one? Otherwise it only lends its genes (LocSeq_wc and LocSeq_rwc).
    pub constrained: bool,
}

impl Default for GeneticSettings {
    fn default() -> GeneticSettings {
        GeneticSettings {
            population: 50,
            crossover: 0.5,
            mutation: 0.3,
            longest: 15,
            breeds: true,
            constrained: true,
        }
    }
}

/// Breeds sequences, generation after generation. It is asked for sequences and told how fit they are; one that it
/// knows is not asked about again.
///
/// Deviation: the paper does not say how parents are chosen (here evenly), whether a gene that the given sequence has
/// twice must remain twice (here it must), nor what becomes of a given sequence that is longer than the longest (here
/// the first sequences have up to two more than it).
#[derive(Clone, Debug)]
pub struct Genetic {
    settings: GeneticSettings,
    /// The sequence that fails.
    given: Genes,
    /// What else sequences are made of.
    candidates: Genes,
    random: Random,
    /// The fittest so far.
    population: Vec<Genes>,
    /// The generation that is being judged.
    children: Vec<Genes>,
    /// Those of it that were not asked about yet.
    waiting: VecDeque<Genes>,
    /// How fit the sequences are that were asked about; nothing while the answer is awaited.
    fitness: BTreeMap<Genes, Option<f64>>,
    /// Sequences of this generation whose answers are awaited.
    awaited: usize,
    /// Generations in a row that brought nothing new.
    barren: u32,
}

/// So many generations without a new sequence end the search.
const BARREN: u32 = 200;

impl Genetic {
    /// Of a sequence and the candidates that may join it.
    ///
    /// # Panics
    /// If there are neither.
    #[must_use]
    pub fn new(
        given: Genes,
        candidates: Genes,
        settings: GeneticSettings,
        random: Random,
    ) -> Genetic {
        assert!(!given.is_empty() || !candidates.is_empty(), "there is nothing to breed from");
        let mut genetic = Genetic {
            settings,
            fitness: BTreeMap::from([(given.clone(), Some(0.0))]),
            given,
            candidates,
            random,
            population: Vec::new(),
            children: Vec::new(),
            waiting: VecDeque::new(),
            awaited: 0,
            barren: 0,
        };
        genetic.begin((0..settings.population).map(|_| Genes::new()).collect());
        genetic
    }

    /// A sequence that was not asked about before; nothing while answers are awaited, or when nothing new comes.
    pub fn ask(&mut self) -> Option<Genes> {
        loop {
            if let Some(genes) = self.waiting.pop_front() {
                self.awaited += 1;
                return Some(genes);
            }
            if self.awaited > 0 || self.barren >= BARREN {
                return None;
            }
            self.select();
            let children = match self.settings.breeds {
                true => self.breed(),
                false => vec![Genes::new(); self.settings.population],
            };
            self.begin(children);
            self.barren = if self.waiting.is_empty() { self.barren + 1 } else { 0 };
        }
    }

    /// How fit a sequence is that was asked about; 0 if it fails too.
    pub fn tell(&mut self, genes: &Genes, fitness: f64) {
        if let Some(known @ None) = self.fitness.get_mut(genes) {
            *known = Some(fitness);
            self.awaited -= 1;
        }
    }

    /// A new generation; those without genes are drawn.
    fn begin(&mut self, mut children: Vec<Genes>) {
        for child in children.iter_mut().filter(|child| child.is_empty()) {
            *child = self.draw();
        }
        for child in &children {
            if !self.fitness.contains_key(child) {
                self.fitness.insert(child.clone(), None);
                self.waiting.push_back(child.clone());
            }
        }
        self.children = children;
    }

    /// A sequence of the first generation (Algorithm 2).
    fn draw(&mut self) -> Genes {
        let shortest = self.given.len() + 1;
        let longest = self.settings.longest.max(shortest + 1);
        let size = self.random.range(shortest as i64, longest as i64) as usize;
        let mut genes = if self.settings.constrained { self.given.clone() } else { Genes::new() };
        while genes.len() < size {
            let gene = self.candidate();
            genes.push(gene);
        }
        self.random.shuffle(&mut genes);
        genes
    }

    /// A candidate; without the constraint the given genes are among them.
    fn candidate(&mut self) -> u16 {
        let more = if self.settings.constrained { 0 } else { self.given.len() };
        let all = match self.candidates.is_empty() {
            true => self.given.len(),
            false => self.candidates.len() + more,
        };
        let at = self.random.index(all);
        self.candidates.get(at).copied().unwrap_or_else(|| self.given[at - self.candidates.len()])
    }

    /// The fittest of parents and children become the parents (lines 18 and 19 of Algorithm 1).
    fn select(&mut self) {
        let mut all = std::mem::take(&mut self.population);
        all.append(&mut self.children);
        let fitness = |genes: &Genes| self.fitness.get(genes).copied().flatten().unwrap_or(0.0);
        all.sort_by(|one, other| fitness(other).total_cmp(&fitness(one)));
        all.truncate(self.settings.population);
        self.population = all;
    }

    /// The next generation (lines 8 to 15 of Algorithm 1).
    fn breed(&mut self) -> Vec<Genes> {
        let mut children = Vec::new();
        while children.len() < self.settings.population {
            let (one, other) = (
                self.random.pick(&self.population).clone(),
                self.random.pick(&self.population).clone(),
            );
            match self.random.unit() < self.settings.crossover {
                true => children.extend(self.cross(&one, &other)),
                false => children.extend([one, other]),
            }
        }
        for child in &mut children {
            if self.random.unit() < self.settings.mutation {
                self.mutate(child);
            }
        }
        children
    }

    /// Two sequences exchange their ends (Algorithm 3).
    fn cross(&mut self, one: &Genes, other: &Genes) -> [Genes; 2] {
        let cut = self.random.range(1, one.len().min(other.len()) as i64) as usize;
        let exchange = |start: &Genes, end: &Genes| {
            let child: Genes = start[..cut].iter().chain(&end[cut..]).copied().collect();
            if self.keeps(&child) { child } else { start.clone() }
        };
        [exchange(one, other), exchange(other, one)]
    }

    /// Each gene may go, be replaced, change places or get a neighbour (Algorithm 4).
    fn mutate(&mut self, genes: &mut Genes) {
        let size = genes.len();
        let mut at = 0;
        for _ in 0..size {
            // How far the next one of the old genes is.
            let mut step = 1;
            if self.random.unit() < 1.0 / size as f64 {
                let before = genes.clone();
                match self.random.index(4) {
                    0 if genes.len() > 1 => {
                        genes.remove(at);
                        step = 0;
                    }
                    1 => genes[at] = self.candidate(),
                    2 => {
                        let other = self.random.index(genes.len());
                        genes.swap(at, other);
                    }
                    3 => {
                        let to_right = usize::from(self.random.unit() >= 0.5);
                        let gene = self.candidate();
                        genes.insert(at + to_right, gene);
                        step = 2;
                    }
                    _ => {}
                }
                if !self.keeps(genes) {
                    *genes = before;
                    step = 1;
                }
            }
            at += step;
        }
    }

    /// Does a sequence keep all of the given one?
    fn keeps(&self, genes: &Genes) -> bool {
        let count = |all: &Genes, gene: u16| all.iter().filter(|one| **one == gene).count();
        !self.settings.constrained
            || self.given.iter().all(|gene| count(genes, *gene) >= count(&self.given, *gene))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    fn genetic(settings: GeneticSettings) -> Genetic {
        Genetic::new(vec![7, 3, 7], (0..6).collect(), settings, Seed(1).stream("genes", 0))
    }

    /// So many sequences, told what `fitness` says.
    fn run(genetic: &mut Genetic, count: usize, fitness: impl Fn(&Genes) -> f64) -> Vec<Genes> {
        let mut asked = Vec::new();
        let mut waiting = Vec::new();
        while asked.len() < count {
            match genetic.ask() {
                Some(genes) => waiting.push(genes),
                None if waiting.is_empty() => break,
                None => {
                    for genes in waiting.drain(..) {
                        genetic.tell(&genes, fitness(&genes));
                        asked.push(genes);
                    }
                }
            }
        }
        asked
    }

    #[test]
    fn what_is_given_remains_and_nothing_is_asked_twice() {
        let mut genetic = genetic(GeneticSettings::default());
        let asked = run(&mut genetic, 2000, |genes| genes.len() as f64);
        assert!(asked.len() >= 2000);
        for genes in &asked {
            let sevens = genes.iter().filter(|gene| **gene == 7).count();
            assert!(sevens >= 2 && genes.contains(&3), "{genes:?}");
        }
        let mut once = asked.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), asked.len());
    }

    #[test]
    fn the_fit_have_children() {
        // Fit are those whose genes are in order.
        let fitness = |genes: &Genes| {
            let pairs = genes.windows(2).filter(|pair| pair[0] <= pair[1]).count();
            pairs as f64 / (genes.len() - 1).max(1) as f64
        };
        let mean = |all: &[Genes]| all.iter().map(fitness).sum::<f64>() / all.len() as f64;
        let bred = run(&mut genetic(GeneticSettings::default()), 1500, fitness);
        assert!(mean(&bred[1000..]) > mean(&bred[..50]) + 0.1, "{}", mean(&bred[1000..]));
        let settings = GeneticSettings { breeds: false, ..GeneticSettings::default() };
        let drawn = run(&mut genetic(settings), 1500, fitness);
        assert!((mean(&drawn[1000..]) - mean(&drawn[..500])).abs() < 0.05);
    }

    #[test]
    fn without_the_constraint_what_is_given_may_go() {
        let settings = GeneticSettings { constrained: false, ..GeneticSettings::default() };
        let asked = run(&mut genetic(settings), 500, |_| 1.0);
        assert!(asked.iter().any(|genes| !genes.contains(&7)));
        assert!(asked.iter().any(|genes| genes.contains(&7)));
    }

    #[test]
    fn the_first_are_longer_than_what_is_given_up_to_a_bound() {
        let mut genetic = genetic(GeneticSettings::default());
        let lengths: Vec<usize> =
            (0..50).filter_map(|_| genetic.ask()).map(|it| it.len()).collect();
        assert!(lengths.iter().all(|length| (4..=15).contains(length)), "{lengths:?}");
        let long: Genes = (0..20).collect();
        let random = Seed(1).stream("genes", 0);
        let mut genetic = Genetic::new(long, vec![1], GeneticSettings::default(), random);
        assert!((21..=22).contains(&genetic.ask().unwrap().len()));
    }

    #[test]
    fn when_nothing_new_comes_it_ends() {
        let settings = GeneticSettings { longest: 1, ..GeneticSettings::default() };
        let random = Seed(1).stream("genes", 0);
        let mut genetic = Genetic::new(vec![0], vec![0], settings, random);
        let asked = run(&mut genetic, 100_000, |_| 0.0);
        assert!(!asked.is_empty() && asked.len() < 5000, "{}", asked.len());
    }
}
