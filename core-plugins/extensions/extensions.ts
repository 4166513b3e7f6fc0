export { type AppRoutes, defineAppRoutes } from './app-routes.ts'
export { type Extensions, type FindOptions, findExtensions } from './find.ts'
export { createExtensionsPlugin } from './plugin.ts'
export { pluginConfigChanged } from './plugin-config.ts'
export {
  type ContentEventName,
  defineSystemMiddleware,
  type SystemEvent,
  type SystemMiddleware,
  type SystemStage,
  systemMiddleware,
} from './system-middleware.ts'
