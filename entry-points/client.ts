/** `mortise/client`: a typed client, the same as the package `mortise-client`. See docs/client.md. */

export * from '../client/client.ts'
