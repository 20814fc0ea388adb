// blake2b and blake2b-no-wasm: the same code in JavaScript (npm blake2b)
// An import of blake2b gives the JavaScript also where there is WebAssembly. An argument names the package.
import { serve, versionOf } from './protocol.mjs'

const name = process.argv[2] ?? 'blake2b'
const { default: blake2b } = await import(name)

serve({
  name,
  version: versionOf(name),
  takes: 'size key salt person',
  documented: { size: [blake2b.BYTES_MIN, blake2b.BYTES_MAX], key: [blake2b.KEYBYTES_MIN, blake2b.KEYBYTES_MAX] },
  final: 'throws',
  make: ({ size = 64, key, salt, person }) => blake2b(size, key, salt, person),
  update: (hash, bytes) => hash.update(bytes),
  digest: (hash) => hash.digest(),
})
