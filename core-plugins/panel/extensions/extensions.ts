// For plugins of projects without TypeBox as a dependency.
export { type Static, Type } from 'typebox'
export { type AppRoutes, defineAppRoutes } from './app-routes.ts'
export {
  type AnyPluginCommand,
  type ArgumentsOf,
  type CommandArgument,
  type CommandArguments,
  CommandError,
  type CommandInput,
  type CommandOption,
  type CommandOptions,
  type CommandResult,
  type CommandRun,
  type CommandShape,
  commands,
  defineCommand,
  type OptionsOf,
  type PluginCommand,
  type PluginCommandInput,
} from './command.ts'
export type { ConfigField } from './config-field.ts'
export { defineExtension, type Extension, type ExtensionManifest } from './define-extension.ts'
export { type Extensions, type FindOptions, findExtensions } from './find.ts'
export {
  type DashboardWidget,
  type NavigationItem,
  type PanelItem,
  type PanelItems,
  panelItems,
  panelItemsService,
  type SettingsSection,
  type ShownItems,
  shownItemsSchema,
} from './panel-items.ts'
export { type PanelModule, panelModules } from './panel-modules.ts'
export { createExtensionsPlugin } from './plugin.ts'
export { pluginConfigChanged } from './plugin-config.ts'
export { pluginsDir, routesDir } from './settings.ts'
export {
  type ContentEventName,
  defineSystemMiddleware,
  type SystemEvent,
  type SystemMiddleware,
  type SystemStage,
  systemMiddleware,
} from './system-middleware.ts'
export type { Theme, ThemeManifest } from './themes/find-themes.ts'
export { themesDir } from './themes/theme-setting.ts'
