// blake2.wasm (the BLAKE2 reference in C, of 2016): the class Blake2b (npm blake2.wasm)
import blake2 from 'blake2.wasm'
import { serve, versionOf } from '../javascript/protocol.mjs'

await new Promise((resolve) => blake2.ready(() => resolve()))

serve({
  name: 'blake2-wasm',
  version: versionOf('blake2.wasm'),
  takes: 'size key',
  limit: 2 ** 23, // its memory is 16 MiB, and there is none after it has run out
  final: 'ends',
  make: ({ size, key }) => new blake2.Blake2b(size, key),
  update: (hash, bytes) => hash.update(bytes),
  digest: (hash) => hash.final(),
})
