// sodium-native (libsodium): crypto_generichash_init, _update and _final, https://sodium-friends.github.io/docs/docs/generichashing
// The state is a buffer that the caller holds.
import sodium from 'sodium-native'
import { serve, versionOf } from './protocol.mjs'

serve({
  name: 'sodium-native',
  version: versionOf('sodium-native'),
  takes: 'size key',
  documented: {
    size: [sodium.crypto_generichash_BYTES_MIN, sodium.crypto_generichash_BYTES_MAX],
    key: [sodium.crypto_generichash_KEYBYTES_MIN, sodium.crypto_generichash_KEYBYTES_MAX],
  },
  final: 'throws',
  make({ size = 64, key }) {
    const state = Buffer.alloc(sodium.crypto_generichash_STATEBYTES)
    sodium.crypto_generichash_init(state, key, size)
    return state
  },
  update: sodium.crypto_generichash_update,
  digest(state, { size = 64 }) {
    const digest = Buffer.alloc(size)
    sodium.crypto_generichash_final(state, digest)
    return digest
  },
  clone: (state) => Buffer.from(state),
})
