export { recogniseAcrossCopies } from './across-copies.ts'
export { anySignal } from './any-signal.ts'
export { atMostEvery } from './at-most-every.ts'
export { type Awaitable, andThen, isPromise, orElse } from './awaitable.ts'
export { type ExtensionPoint, extensionPoint } from './extension-point.ts'
export { matcherOf } from './glob.ts'
export { groupBy } from './group-by.ts'
export { appStart, appStop, type HookToken, hook, type Listener } from './hook.ts'
export { isObject } from './is-object.ts'
export {
  createKernel,
  type ErredPlugin,
  type Kernel,
  type KernelOptions,
  pluginErred,
  pluginFailed,
  pluginsStarted,
} from './kernel.ts'
export { type Log, silentLog } from './log.ts'
export { createKeyedMailbox, createMailbox, type KeyedMailbox, type Mailbox } from './mailbox.ts'
export { nativePackageProblem } from './native-package.ts'
export { nearest } from './nearest.ts'
export { compilePipeline, middlewarePoint, type Next, type Pipeline, type Stage } from './pipeline.ts'
export type { Placement } from './placement.ts'
export {
  type BootContext,
  type ContributionOf,
  type DestroyContext,
  definePlugin,
  type InitContext,
  type Plugin,
  type PluginContext,
  type PluginDefinition,
  type PluginManifest,
  type RegisterContext,
} from './plugin.ts'
export { assertUniqueNames, PluginFault } from './plugin-fault.ts'
export { type Repetition, type RepetitionOptions, repeat } from './repetition.ts'
export type { FailedPlugin, PluginStatus } from './roster.ts'
export { runAsPlugin, runAsService } from './running-plugin.ts'
export { type ServicesOf, type ServiceToken, type ServiceTokens, service } from './service.ts'
export { describeProblem, StartupError, type StartupProblem } from './startup-error.ts'
export type { Token, TokenKind, TokenOptions } from './token.ts'
export { upTo } from './up-to.ts'
