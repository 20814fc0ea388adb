// blake2 (node-blake2, an addon in C): createHash and createKeyedHash (npm blake2)
import blake2 from 'blake2'
import { serve, versionOf } from './protocol.mjs'

serve({
  name: 'node-blake2',
  version: versionOf('blake2'),
  takes: 'size key',
  final: 'throws',
  make({ size, key }) {
    const options = size === undefined ? {} : { digestLength: size }
    return key === undefined ? blake2.createHash('blake2b', options) : blake2.createKeyedHash('blake2b', key, options)
  },
  update: (hash, bytes) => hash.update(bytes),
  digest: (hash) => hash.digest(),
  clone: (hash) => hash.copy(),
})
