// The line protocol (subprocess/PROTOCOL.md), for ports that are used from JavaScript.
//
// serve(port) answers requests until the input ends. A port has
//
//   name, version         one word each
//   takes                 which parameters its API has: words of "size key salt person tree t"
//   make(params)          gives a state, or a promise of one; a parameter that is absent is undefined
//   update(state, bytes)
//   digest(state, params) gives bytes
//
// and, where the API has them,
//
//   reset(state, params)
//   clone(state)          gives a copy
//   save(state, params)   exports the state, and gives a new one that has imported it
//   compress(bytes)       EIP-152: 213 bytes to 64
//   hash(bytes, params)   instead of make, update and digest: the API takes a message in one piece
//   final                 "throws": a state says that it is not to be used after a digest, and refuses to be
//                         "ends": it is documented, or freed, so that nothing may be tried
//   documented            ranges that are narrower than BLAKE2b's: { size: [16, 64], key: [16, 64] }
//   limit                 the most bytes that a state can count
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

export class Unsupported extends Error {}

const STEPS = ['sum', 'reset', 'new', 'clone', 'swap', 'save']
const TREE = ['fanout', 'depth', 'leaf', 'offset', 'nodeDepth', 'inner', 'last']
const LARGEST_WRITE = 2 ** 27
const LARGEST_MESSAGE = 2 ** 33
const LONGEST_LINE = 2 ** 20

// versionOf says which version of an npm package is installed beside the program.
export function versionOf(name) {
  const file = new URL(`node_modules/${name}/package.json`, pathToFileURL(process.argv[1]))
  return JSON.parse(readFileSync(file, 'utf8')).version
}

function number(text) {
  if (!/^(0|[1-9][0-9]*)$/.test(text)) throw new Error(`not a decimal number: ${text}`)
  return Number(text)
}

// bytes decodes hex, as a view into something larger whose alignment depends on the first byte.
function bytes(hex) {
  if (hex.length % 2 || !/^[0-9a-f]*$/.test(hex)) throw new Error(`not hex in lower case: ${hex}`)
  const offset = hex ? parseInt(hex.slice(0, 2), 16) % 4 : 0
  const whole = Buffer.allocUnsafe(offset + hex.length / 2)
  whole.write(hex, offset, 'hex')
  return whole.subarray(offset)
}

function size(text) {
  const n = number(text)
  if (n > 2 ** 32 - 1) throw new Error(`size is above 2^32-1: ${text}`)
  return n
}

function tree(text) {
  const fields = text.split(',')
  if (fields.length !== TREE.length) throw new Error(`tree has ${fields.length} fields`)
  const values = fields.map((field, i) => (number(field), TREE[i] === 'offset' ? BigInt(field) : Number(field)))
  if (values[6] > 1) throw new Error('last node is neither 0 nor 1')
  return Object.fromEntries(TREE.map((name, i) => [name, values[i]]))
}

function counter(hex) {
  const little = bytes(hex)
  if (little.length !== 16) throw new Error(`t has ${little.length} bytes`)
  const t = little.readBigUInt64LE(0) | (little.readBigUInt64LE(8) << 64n)
  if (t % 128n) throw new Error('t is no multiple of 128')
  return t
}

function flag(text) {
  if (number(text) > 1) throw new Error('last is neither 0 nor 1')
  return text === '1'
}

const VERBS = {
  about: {},
  sum: { size, key: bytes, salt: bytes, person: bytes, tree, t: counter },
  compress: { last: flag },
}

function parse(line) {
  const [head, ...rest] = line.split(' ')
  const colon = rest.indexOf(':')
  const keys = colon < 0 ? rest : rest.slice(0, colon)
  const steps = colon < 0 ? [] : rest.slice(colon + 1)
  if (!Object.hasOwn(VERBS, head)) throw new Unsupported(`verb ${head}`)
  const params = {}
  for (const word of keys) {
    const equals = word.indexOf('=')
    if (equals < 0) throw new Error(`no key=value: ${word}`)
    const key = word.slice(0, equals)
    if (!Object.hasOwn(VERBS[head], key)) throw new Unsupported(`key ${key}`)
    if (Object.hasOwn(params, key)) throw new Error(`key ${key} is given twice`)
    params[key] = VERBS[head][key](word.slice(equals + 1))
  }
  if (params.t !== undefined && params.key !== undefined) throw new Error('t and a key')
  return { verb: head, params, steps: steps.map(parseStep) }
}

function parseStep(word) {
  if (STEPS.includes(word)) return { op: word }
  if (/[g-z]/i.test(word)) throw new Unsupported(`step ${word}`)
  if (word === '-') return { op: 'write', data: bytes(''), count: 1 }
  if (word === '') throw new Error('an empty step')
  const star = word.indexOf('*')
  const data = bytes(star < 0 ? word : word.slice(0, star))
  const count = star < 0 ? 1 : number(word.slice(star + 1))
  if (!data.length || !count) throw new Error(`nothing is repeated: ${word}`)
  return { op: 'write', data, count }
}

// pieces gives the bytes of a write: in one piece, unless that were too large a buffer.
function* pieces({ data, count }) {
  const most = Math.floor(LARGEST_WRITE / (data.length || 1))
  const piece = count === 1 ? data : Buffer.alloc(Math.min(count, most) * data.length, data)
  for (; count > most; count -= most) yield piece
  yield piece.subarray(0, count * data.length)
}

function checkLength({ limit = Infinity }, { t = 0n }, steps) {
  let length = 0
  for (const step of steps) if (step.op === 'write') length += step.data.length * step.count
  if (length > LARGEST_MESSAGE) throw new Unsupported(`a message above ${LARGEST_MESSAGE} bytes`)
  if (t + BigInt(length) > limit) throw new Unsupported(`more than ${limit} bytes`)
}

// A Hash is a state of the port, and knows whether a digest has been taken from it.
class Hash {
  constructor(port, params, state, ended = false) {
    Object.assign(this, { port, params, state, ended })
  }

  static async make(port, params) {
    return new Hash(port, params, await port.make(params))
  }

  async call(name, ...args) {
    const { port, ended } = this
    if (!port[name]) throw new Unsupported(`step ${name}`)
    if (ended && port.final === 'ends' && name !== 'reset') throw new Unsupported('final ends the state')
    try {
      return await port[name](this.state, ...args)
    } catch (e) {
      if (ended && port.final === 'throws') throw new Unsupported(`final ends the state: ${message(e)}`)
      throw e
    }
  }

  async write(step) {
    for (const piece of pieces(step)) await this.call('update', piece)
  }

  async sum() {
    const digest = await this.call('digest', this.params)
    this.ended = true
    return hex(digest)
  }

  async reset() {
    await this.call('reset', this.params)
    this.ended = false
  }

  async copy(name) {
    return new Hash(this.port, this.params, await this.call(name, this.params), this.ended)
  }
}

async function sum(port, params, steps) {
  for (const key in params) if (!port.takes.split(' ').includes(key)) throw new Unsupported(`key ${key}`)
  checkLength(port, params, steps)
  if (port.hash) return [await sumAtOnce(port, params, steps)]
  let current = await Hash.make(port, params)
  let aside = null
  const digests = []
  for (const step of [...steps, { op: 'sum' }]) {
    switch (step.op) {
      case 'write': await current.write(step); break
      case 'sum': digests.push(await current.sum()); break
      case 'reset': await current.reset(); break
      case 'new': aside = await Hash.make(port, { ...params, t: undefined }); break
      case 'clone': aside = await current.copy('clone'); break
      case 'save': current = await current.copy('save'); break
      case 'swap':
        if (!aside) throw new Error('swap with nothing aside')
        ;[current, aside] = [aside, current]
    }
  }
  return digests
}

async function sumAtOnce(port, params, steps) {
  const other = steps.find(({ op }) => op !== 'write')
  if (other) throw new Unsupported(`step ${other.op}`)
  const message = steps.flatMap((step) => [...pieces(step)])
  if (message.length > 1) throw new Unsupported('a message in more than one piece')
  return hex(await port.hash(message[0] ?? bytes(''), params))
}

async function compress(port, { last }, steps) {
  if (steps.length !== 1 || steps[0].op !== 'write') throw new Error('compress takes one write')
  if (last) throw new Unsupported('last=1')
  const [{ data, count }] = steps
  if (data.length * count > LARGEST_WRITE) throw new Unsupported('so large a write')
  return [hex(await port.compress(Buffer.alloc(data.length * count, data)))]
}

// undocumented says whether the port may refuse parameters that BLAKE2b has.
function undocumented(port, params) {
  const lengths = { size: params.size, key: params.key?.length }
  let narrower = false
  for (const [name, [low, high]] of Object.entries(port.documented ?? {})) {
    const n = lengths[name]
    if (n === undefined) continue
    if (n < 1 || n > 64) return false
    if (n < low || n > high) narrower = true
  }
  return narrower
}

async function answer(port, line) {
  if (line.length > LONGEST_LINE) throw new Error('a line above 2^20 bytes')
  const { verb, params, steps } = parse(line)
  if (verb === 'about') {
    if (steps.length) throw new Error('about takes no steps')
    return [`name=${port.name}`, `version=${port.version}`, 'protocol=1']
  }
  if (!(verb === 'sum' ? port.make ?? port.hash : port.compress)) throw new Unsupported(`verb ${verb}`)
  try {
    return await (verb === 'sum' ? sum : compress)(port, params, steps)
  } catch (e) {
    if (!(e instanceof Unsupported) && undocumented(port, params)) throw new Unsupported(`by documentation: ${message(e)}`)
    throw e
  }
}

function hex(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

function message(e) {
  return String(e?.message || e).slice(0, 200).replace(/[^ -~]+/g, ' ').trim() || 'no message'
}

async function reply(port, line) {
  try {
    return ['ok', ...(await answer(port, line))].join(' ')
  } catch (e) {
    return `${e instanceof Unsupported ? 'unsupported' : 'error'} ${message(e)}`
  }
}

export async function serve(port) {
  port = { ...port, name: process.env.ADAPTER_NAME || port.name }
  let rest = ''
  process.stdin.setEncoding('latin1')
  for await (const chunk of process.stdin) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) process.stdout.write((await reply(port, line.replace(/\r$/, ''))) + '\n')
  }
}
