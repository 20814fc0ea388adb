// node:crypto (OpenSSL): createHash('blake2b512'), https://nodejs.org/api/crypto.html#class-hash
import { createHash } from 'node:crypto'
import { serve } from './protocol.mjs'

serve({
  name: 'node-crypto',
  version: process.versions.node,
  takes: 'size',
  documented: { size: [64, 64] }, // outputLength is for XOFs, and blake2b512 is none
  final: 'throws',
  make: ({ size }) => createHash('blake2b512', { outputLength: size }),
  update: (hash, bytes) => hash.update(bytes),
  digest: (hash) => hash.digest(),
  clone: (hash) => hash.copy(),
})
