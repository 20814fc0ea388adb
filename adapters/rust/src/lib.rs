//! The line protocol (subprocess/PROTOCOL.md), written once for all ports. A port says in its own
//! file how its API is called; whatever it does not say is answered `unsupported` here.

use std::collections::HashSet;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::ops::RangeInclusive;
use std::panic::{self, AssertUnwindSafe};

const MAX_LINE: usize = 1 << 20; // bytes of a request
const MAX_WRITE: u64 = 1 << 27; // bytes that are fed at once
const MAX_MESSAGE: u64 = 1 << 33;
const MAX_ROUNDS: u32 = 1 << 24;

/// Why there is no answer.
pub enum Fault {
    Unsupported(String),
    Error(String),
}

pub type Result<T> = std::result::Result<T, Fault>;

/// What a port refuses with is an error; so is everything else that `?` passes on.
impl<E: Display> From<E> for Fault {
    fn from(e: E) -> Self {
        Fault::Error(e.to_string())
    }
}

pub fn unsupported<T>(what: impl Display) -> Result<T> {
    Err(Fault::Unsupported(what.to_string()))
}

fn error<T>(what: impl Display) -> Result<T> {
    Err(Fault::Error(what.to_string()))
}

/// What is asked of a hash, as it stands in the request.
#[derive(Default)]
pub struct Params {
    pub size: usize,
    pub key: Option<Vec<u8>>,
    pub salt: Option<Vec<u8>>,
    pub person: Option<Vec<u8>>,
    pub tree: Option<Tree>,
}

#[derive(Clone, Copy)]
pub struct Tree {
    pub fanout: u8,
    pub depth: u8,
    pub leaf_length: u32,
    pub node_offset: u64,
    pub node_depth: u8,
    pub inner_length: u8,
    pub last_node: bool,
}

impl Params {
    /// Answers `unsupported` if anything is given that is not in the list.
    pub fn only(&self, offered: &[&str]) -> Result<()> {
        let given = [
            ("key", self.key.is_some()),
            ("salt", self.salt.is_some()),
            ("person", self.person.is_some()),
            ("tree", self.tree.is_some()),
        ];
        match given.iter().find(|(name, is)| *is && !offered.contains(name)) {
            Some((name, _)) => unsupported(name),
            None => Ok(()),
        }
    }

    /// The key for an API to which no key and an empty one are the same.
    pub fn key(&self) -> &[u8] {
        self.key.as_deref().unwrap_or_default()
    }

    /// The salt for an API to which no salt and an empty one are the same.
    pub fn salt(&self) -> &[u8] {
        self.salt.as_deref().unwrap_or_default()
    }

    /// The personalization for an API to which none and an empty one are the same.
    pub fn person(&self) -> &[u8] {
        self.person.as_deref().unwrap_or_default()
    }
}

/// The bytes as an array, for an API that has a type for one length only.
pub fn array<const N: usize>(name: &str, bytes: &[u8]) -> Result<[u8; N]> {
    bytes.try_into().or_else(|_| unsupported(format!("{name} of other than {N} bytes")))
}

/// A hash in progress. Only what the port's API has is implemented.
pub trait State {
    fn update(&mut self, data: &[u8]) -> Result<()>;

    /// Takes a digest, and says what is left of the state. After the last one nothing is asked.
    fn sum(self: Box<Self>, last: bool) -> Result<(Vec<u8>, Rest)>;

    fn reset(&mut self) -> Result<()> {
        unsupported("reset")
    }

    fn copy(&self) -> Result<Box<dyn State>> {
        unsupported("clone")
    }
}

/// What is left of a state whose digest was taken.
pub enum Rest {
    /// All of it: it goes on.
    Live(Box<dyn State>),
    /// Another digest may be taken; for all else it wants a reset.
    Summed(Box<dyn State>),
    /// It wants a reset.
    Spent(Box<dyn State>),
    /// The API has reset it in the same call.
    WasReset(Box<dyn State>),
    /// Nothing.
    Ended,
}

const ENDED: &str = "final ends the state";

impl Rest {
    fn live(&mut self) -> Result<&mut Box<dyn State>> {
        match self {
            Rest::Live(state) => Ok(state),
            _ => unsupported(ENDED),
        }
    }

    fn sum(&mut self, last: bool) -> Result<Vec<u8>> {
        match std::mem::replace(self, Rest::Ended) {
            Rest::Live(state) | Rest::Summed(state) => {
                let (digest, rest) = state.sum(last)?;
                *self = rest;
                Ok(digest)
            }
            _ => unsupported(ENDED),
        }
    }

    fn reset(&mut self) -> Result<()> {
        *self = Rest::Live(match std::mem::replace(self, Rest::Ended) {
            Rest::Live(mut state) | Rest::Summed(mut state) | Rest::Spent(mut state) => {
                state.reset()?;
                state
            }
            Rest::WasReset(state) => state,
            Rest::Ended => return unsupported(ENDED),
        });
        Ok(())
    }
}

/// A hash of an API that takes whole messages.
struct OneShot<H> {
    hash: H,
    message: Option<Vec<u8>>,
}

/// A state for an API that takes whole messages: a second write is unsupported.
pub fn one_shot(hash: impl Fn(&[u8]) -> Result<Vec<u8>> + 'static) -> Box<dyn State> {
    Box::new(OneShot { hash, message: None })
}

impl<H: Fn(&[u8]) -> Result<Vec<u8>>> State for OneShot<H> {
    fn update(&mut self, data: &[u8]) -> Result<()> {
        if self.message.is_some() {
            return unsupported("a second write");
        }
        self.message = Some(data.to_vec());
        Ok(())
    }

    fn sum(self: Box<Self>, _last: bool) -> Result<(Vec<u8>, Rest)> {
        Ok(((self.hash)(self.message.as_deref().unwrap_or_default())?, Rest::Ended))
    }
}

pub type Make = fn(&Params) -> Result<Box<dyn State>>;

/// F with a number of rounds: rounds, h, m, t, and f as two flags.
pub type Compress = fn(usize, &mut [u64; 8], [u64; 16], [u64; 2], [bool; 2]) -> Result<()>;

/// Answers for a port that hashes.
pub fn serve_hash(name: &str, version: &str, make: Make) -> ! {
    serve(name, version, &|request| match request.verb {
        "sum" => sum(request, make),
        verb => unsupported(format!("verb {verb:?}")),
    })
}

/// Answers for a port that is F and nothing else.
pub fn serve_compress(name: &str, version: &str, f: Compress) -> ! {
    serve(name, version, &|request| match request.verb {
        "compress" => compress(request, f),
        verb => unsupported(format!("verb {verb:?}")),
    })
}

fn serve(name: &str, version: &str, answer: &dyn Fn(&Request) -> Result<String>) -> ! {
    panic::set_hook(Box::new(|_| {})); // a port's panic is an answer, and no message
    let name = std::env::var("ADAPTER_NAME").unwrap_or(name.into());
    let about = format!("name={name} version={version} protocol=1");
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
        let answered = panic::catch_unwind(AssertUnwindSafe(|| {
            let request = Request::parse(&line)?;
            match request.verb {
                "about" => request.about(&about),
                _ => answer(&request),
            }
        }));
        let answer = match answered {
            Ok(Ok(words)) => format!("ok {words}\n"),
            Ok(Err(Fault::Unsupported(text))) => format!("unsupported {}\n", plain(&text)),
            Ok(Err(Fault::Error(text))) => format!("error {}\n", plain(&text)),
            Err(payload) => {
                let text = payload.downcast_ref::<String>().map(String::as_str);
                let text = text.or(payload.downcast_ref::<&str>().copied());
                format!("error panic: {}\n", plain(text.unwrap_or("of no text")))
            }
        };
        if output.write_all(answer.as_bytes()).and_then(|()| output.flush()).is_err() {
            std::process::exit(1);
        }
        line.clear();
    }
    std::process::exit(0)
}

/// One line of printable ASCII.
fn plain(text: &str) -> String {
    let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    text.chars().take(200).map(printable).collect()
}

struct Request<'a> {
    verb: &'a str,
    keys: Vec<(&'a str, &'a str)>,
    steps: Vec<&'a str>,
}

impl<'a> Request<'a> {
    fn parse(line: &'a [u8]) -> Result<Self> {
        if line.len() > MAX_LINE + 1 {
            return unsupported(format!("a line of more than {MAX_LINE} bytes"));
        }
        let line = std::str::from_utf8(line)?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() {
            return error("empty line");
        }
        let mut words = line.split(' ');
        let verb = words.next().unwrap_or_default();
        if !["about", "sum", "compress", "xof"].contains(&verb) {
            return unsupported(format!("verb {verb:?}"));
        }
        let (mut keys, mut given) = (Vec::new(), HashSet::new());
        for word in words.by_ref().take_while(|word| *word != ":") {
            match word.split_once('=') {
                None => return error(format!("word {word:?} is not key=value")),
                Some((key, _)) if !given.insert(key) => return error(format!("key {key:?} given twice")),
                Some(pair) => keys.push(pair),
            }
        }
        let steps: Vec<_> = words.collect();
        if steps.contains(&"") {
            return error("an empty word: words are parted by one space");
        }
        Ok(Request { verb, keys, steps })
    }

    fn about(&self, about: &str) -> Result<String> {
        match (self.keys.first(), self.steps.is_empty()) {
            (Some((key, _)), _) => unsupported(format!("key {key:?}")),
            (None, false) => error("about takes no steps"),
            (None, true) => Ok(about.into()),
        }
    }

    fn params(&self) -> Result<Params> {
        let mut params = Params { size: 64, ..Params::default() };
        for (key, value) in &self.keys {
            let bytes = || unhex(value).map(Some);
            match *key {
                "size" => params.size = number(value, 0..=u32::MAX.into())? as usize,
                "key" => params.key = bytes()?,
                "salt" => params.salt = bytes()?,
                "person" => params.person = bytes()?,
                "tree" => params.tree = Some(tree(value)?),
                _ => return unsupported(format!("key {key:?}")), // t is among them
            }
        }
        Ok(params)
    }
}

fn tree(value: &str) -> Result<Tree> {
    let fields: Vec<_> = value.split(',').collect();
    let &[fanout, depth, leaf_length, node_offset, node_depth, inner_length, last_node] = &fields[..] else {
        return error(format!("tree: {} fields are not 7", fields.len()));
    };
    Ok(Tree {
        fanout: number(fanout, 0..=255)? as u8,
        depth: number(depth, 0..=255)? as u8,
        leaf_length: number(leaf_length, 0..=u32::MAX.into())? as u32,
        node_offset: number(node_offset, 0..=u64::MAX)?,
        node_depth: number(node_depth, 0..=255)? as u8,
        inner_length: number(inner_length, 0..=255)? as u8,
        last_node: number(last_node, 0..=1)? == 1,
    })
}

fn number(text: &str, range: RangeInclusive<u64>) -> Result<u64> {
    if text.is_empty() || !text.bytes().all(|c| c.is_ascii_digit()) || text.len() > 1 && text.starts_with('0') {
        return error(format!("{text:?} is not a decimal number"));
    }
    match text.parse() {
        Ok(n) if range.contains(&n) => Ok(n),
        _ => error(format!("{text} is not from {} to {}", range.start(), range.end())),
    }
}

fn unhex(text: &str) -> Result<Vec<u8>> {
    let nibble = |c: u8| match c {
        b'0'..=b'9' => Ok(c - b'0'),
        b'a'..=b'f' => Ok(c - b'a' + 10),
        _ => error(format!("{text:?} is not hex in lower case")),
    };
    if !text.len().is_multiple_of(2) {
        return error(format!("{text:?} has an odd number of digits"));
    }
    text.as_bytes().chunks(2).map(|pair| Ok(nibble(pair[0])? << 4 | nibble(pair[1])?)).collect()
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]).map(char::from).collect()
}

enum Step {
    Write { unit: Vec<u8>, times: u64 },
    Sum,
    Reset,
    New,
    Clone,
    Swap,
}

impl Step {
    fn parse(word: &str) -> Result<Self> {
        Ok(match word {
            "-" => Step::Write { unit: Vec::new(), times: 1 },
            "sum" => Step::Sum,
            "reset" => Step::Reset,
            "new" => Step::New,
            "clone" => Step::Clone,
            "swap" => Step::Swap,
            _ => {
                let (unit, times) = word.split_once('*').map_or((word, None), |(unit, times)| (unit, Some(times)));
                if unit.contains(|c: char| c.is_ascii_alphabetic() && !c.is_ascii_hexdigit()) {
                    return unsupported(format!("step {word:?}")); // save is among them
                }
                let unit = unhex(unit)?;
                if unit.is_empty() {
                    return error("a write of no bytes has a count");
                }
                Step::Write { unit, times: times.map_or(Ok(1), |times| number(times, 1..=u64::MAX))? }
            }
        })
    }
}

fn sum(request: &Request, make: Make) -> Result<String> {
    let params = request.params()?;
    let steps: Vec<_> = request.steps.iter().map(|word| Step::parse(word)).collect::<Result<_>>()?;
    let (mut state, mut aside) = (Rest::Live(make(&params)?), None);
    let (mut digests, mut length) = (Vec::new(), 0u64);
    for step in &steps {
        match step {
            Step::Write { unit, times } => {
                length = length.saturating_add(times.saturating_mul(unit.len() as u64));
                if length > MAX_MESSAGE {
                    return unsupported(format!("a message of more than {MAX_MESSAGE} bytes"));
                }
                write(state.live()?.as_mut(), unit, *times)?;
            }
            Step::Sum => digests.push(hex(&state.sum(false)?)),
            Step::Reset => state.reset()?,
            Step::New => aside = Some(Rest::Live(make(&params)?)),
            Step::Clone => aside = Some(Rest::Live(state.live()?.copy()?)),
            Step::Swap => match &mut aside {
                Some(aside) => std::mem::swap(&mut state, aside),
                None => return error("swap with no state aside"),
            },
        }
    }
    digests.push(hex(&state.sum(true)?));
    Ok(digests.join(" "))
}

/// One call with all the bytes, or several above `MAX_WRITE`.
fn write(state: &mut dyn State, unit: &[u8], times: u64) -> Result<()> {
    if times == 1 {
        return state.update(unit);
    }
    let at_once = times.min(MAX_WRITE / unit.len() as u64);
    let buffer = unit.repeat(at_once as usize);
    for _ in 0..times / at_once {
        state.update(&buffer)?;
    }
    match (times % at_once) as usize * unit.len() {
        0 => Ok(()),
        rest => state.update(&buffer[..rest]),
    }
}

fn compress(request: &Request, f: Compress) -> Result<String> {
    let mut last_node = false;
    for (key, value) in &request.keys {
        match *key {
            "last" => last_node = number(value, 0..=1)? == 1,
            _ => return unsupported(format!("key {key:?}")),
        }
    }
    let &[word] = &request.steps[..] else {
        return error("compress takes one write");
    };
    let Step::Write { unit: input, times: 1 } = Step::parse(word)? else {
        return unsupported(format!("compress with step {word:?}"));
    };
    let Ok(input) = <&[u8; 213]>::try_from(&input[..]) else {
        return error(format!("compress input length {} is not 213", input.len()));
    };
    if input[212] > 1 {
        return error(format!("final flag {} is above 1", input[212]));
    }
    let rounds = u32::from_be_bytes([input[0], input[1], input[2], input[3]]);
    if rounds > MAX_ROUNDS {
        return unsupported(format!("{rounds} rounds, above {MAX_ROUNDS}"));
    }
    let (mut h, m, t) = (words(&input[4..68]), words(&input[68..196]), words(&input[196..212]));
    f(rounds as usize, &mut h, m, t, [input[212] == 1, last_node])?;
    Ok(hex(&h.map(u64::to_le_bytes).concat()))
}

fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|j| bytes[8 * i + j])))
}
