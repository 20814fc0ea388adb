//go:build !(amd64 && gc && !purego)

package xcrypto

const assembly = false
