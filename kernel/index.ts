export { type ExtensionPoint, extensionPoint } from './extension-point.ts'
export { matcherOf } from './glob.ts'
export { appStart, appStop, type HookToken, hook, type Listener } from './hook.ts'
export {
  createKernel,
  type ErredPlugin,
  type FailedPlugin,
  type Kernel,
  type KernelOptions,
  type PluginStatus,
  pluginErred,
  pluginFailed,
  pluginsStarted,
} from './kernel.ts'
export { type Log, silentLog } from './log.ts'
export { createMailbox, type Mailbox } from './mailbox.ts'
export { inOrder, type Ordered } from './order.ts'
export { compilePipeline, type Next, type Pipeline, type Stage } from './pipeline.ts'
export {
  type BootContext,
  type ConfigField,
  type ContributionOf,
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
export { type ServicesOf, type ServiceToken, type ServiceTokens, service } from './service.ts'
export { describeProblem, StartupError, type StartupProblem } from './startup-error.ts'
