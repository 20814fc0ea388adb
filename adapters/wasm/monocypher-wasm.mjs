// monocypher-wasm (Monocypher 3): crypto_blake2b and crypto_blake2b_general (npm monocypher-wasm)
import { crypto_blake2b, crypto_blake2b_general } from 'monocypher-wasm'
import { serve, versionOf } from '../javascript/protocol.mjs'

serve({
  name: 'monocypher-wasm',
  version: versionOf('monocypher-wasm'),
  takes: 'size key',
  hash(message, { size, key }) {
    if (size === undefined && key === undefined) return crypto_blake2b(message)
    return crypto_blake2b_general(size ?? 64, key ?? null, message)
  },
})
