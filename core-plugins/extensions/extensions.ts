export { type Extensions, type FindOptions, findExtensions } from './find.ts'
export { createExtensionsPlugin } from './plugin.ts'
