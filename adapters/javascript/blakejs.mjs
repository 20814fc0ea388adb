// blakejs: blake2bInit, blake2bUpdate and blake2bFinal (npm blakejs)
// An argument names an older version, installed beside it. The context is a plain object that the caller holds.
import { serve, versionOf } from './protocol.mjs'

const name = process.argv[2] ?? 'blakejs'
const { default: blakejs } = await import(name)

serve({
  name,
  version: versionOf(name),
  takes: blakejs.blake2bInit.length === 4 ? 'size key salt person t' : 'size key t',
  limit: 2 ** 53 - 1, // by documentation
  final: 'ends', // "once the stream has been exhausted"
  make({ size = 64, key, salt, person, t }) {
    const context = blakejs.blake2bInit(size, key, salt, person)
    if (t !== undefined) context.t = Number(t)
    return context
  },
  update: blakejs.blake2bUpdate,
  digest: blakejs.blake2bFinal,
  clone: (context) => structuredClone(context),
})
