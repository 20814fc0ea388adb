// libsodium-wrappers-sumo (libsodium in WebAssembly): crypto_generichash_* (npm libsodium-wrappers-sumo)
// A salt and a personalization go with an empty message only: crypto_generichash_blake2b_salt_personal takes none.
import sodium from 'libsodium-wrappers-sumo'
import { serve, Unsupported, versionOf } from '../javascript/protocol.mjs'

await sodium.ready

serve({
  name: 'libsodium-wrappers',
  version: versionOf('libsodium-wrappers-sumo'),
  takes: 'size key salt person',
  documented: {
    size: [sodium.crypto_generichash_BYTES_MIN, sodium.crypto_generichash_BYTES_MAX],
    key: [sodium.crypto_generichash_KEYBYTES_MIN, sodium.crypto_generichash_KEYBYTES_MAX],
  },
  final: 'ends',
  make({ size = 64, key = null, salt, person }) {
    return salt || person ? null : sodium.crypto_generichash_init(key, size)
  },
  update(address, bytes) {
    if (address === null) throw new Unsupported('a message with a salt or a personalization')
    sodium.crypto_generichash_update(address, bytes)
  },
  digest(address, { size = 64, key = null, salt = null, person = null }) {
    if (address === null) return sodium.crypto_generichash_blake2b_salt_personal(size, key, salt, person)
    return sodium.crypto_generichash_final(address, size)
  },
})
