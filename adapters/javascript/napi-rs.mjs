// @napi-rs/blake-hash (an addon in Rust): Blake2BHasher.withParams (npm @napi-rs/blake-hash)
// It is one package for each platform, and one more that chooses; this is Linux on x86-64.
import { createRequire } from 'node:module'
import { serve, Unsupported, versionOf } from './protocol.mjs'

const { Blake2BHasher, Blake2BParam } = createRequire(import.meta.url)('@napi-rs/blake-hash-linux-x64-gnu')

serve({
  name: 'napi-rs',
  version: versionOf('@napi-rs/blake-hash-linux-x64-gnu'),
  takes: 'size key salt person tree',
  make({ size, key, salt, person, tree }) {
    const param = new Blake2BParam()
    if (size !== undefined) param.hashLength(size)
    if (key !== undefined) param.key(key)
    if (salt !== undefined) param.salt(salt)
    if (person !== undefined) param.personal(person)
    if (tree !== undefined) {
      if (tree.offset || tree.last) throw new Unsupported('a node offset, or a last node')
      param.fanout(tree.fanout)
      param.maxDepth(tree.depth)
      param.maxLeafLength(tree.leaf)
      param.nodeDepth(tree.nodeDepth)
      param.innerHashLength(tree.inner)
    }
    return Blake2BHasher.withParams(param)
  },
  update: (hasher, bytes) => hasher.update(bytes),
  digest: (hasher) => hasher.digestBuffer(),
})
