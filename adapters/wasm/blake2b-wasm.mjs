// blake2b-wasm, and @bitgo/blake2b-wasm, a fork of an older version: npm blake2b-wasm
// An argument names the package.
import { serve, versionOf } from '../javascript/protocol.mjs'

const name = process.argv[2] ?? 'blake2b-wasm'
const { default: blake2b } = await import(name)
await blake2b.ready()

const make = ({ size = 64, key, salt, person }) => blake2b(size, key, salt, person)

function save(hash, params) {
  const other = make(params)
  other.setPartialHash(hash.getPartialHash())
  return other
}

serve({
  name: name === 'blake2b-wasm' ? name : 'bitgo',
  version: versionOf(name),
  takes: 'size key salt person',
  documented: { size: [blake2b.BYTES_MIN, blake2b.BYTES_MAX], key: [blake2b.KEYBYTES_MIN, blake2b.KEYBYTES_MAX] },
  final: 'throws',
  make,
  update: (hash, bytes) => hash.update(bytes),
  digest: (hash) => hash.digest(),
  save: blake2b.prototype.setPartialHash && save,
})
