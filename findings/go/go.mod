module blake2btest/findings/go

go 1.26.0

require github.com/minio/blake2b-simd v0.0.0-20160723061019-3f5f724cb5b1
