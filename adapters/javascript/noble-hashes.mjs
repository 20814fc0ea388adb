// @noble/hashes: blake2b.create (npm @noble/hashes)
// An argument names an older version, installed beside it.
import { createRequire } from 'node:module'
import { serve, versionOf } from './protocol.mjs'

const name = process.argv[2] ?? 'noble-hashes'
const { blake2b } = name === 'noble-hashes' ? await import('@noble/hashes/blake2.js') : createRequire(import.meta.url)(`${name}/blake2b`)

serve({
  name,
  version: versionOf(name === 'noble-hashes' ? '@noble/hashes' : name),
  takes: 'size key salt person',
  final: 'throws',
  make: ({ size, key, salt, person }) => blake2b.create({ dkLen: size, key, salt, personalization: person }),
  update: (hash, bytes) => hash.update(bytes),
  digest: (hash) => hash.digest(),
  clone: (hash) => hash.clone(),
})
