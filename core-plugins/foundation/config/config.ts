export type { ConfigFile, PluginSwitch } from './config-file.ts'
export { type Config, configService, type SettingSource } from './config-service.ts'
export { type DotEnvOptions, ensureDotEnv, loadDotEnv, startEnvironment } from './dot-env.ts'
export {
  dataDir,
  defaultLocale,
  locales,
  type Role,
  role,
  siteDescription,
  siteName,
  siteUrl,
} from './general-settings.ts'
export { importFile, importFromPackage, translatedFile } from './import-file.ts'
export { type ConfigPluginOptions, createConfigPlugin } from './plugin.ts'
export { loadProjectConfig, type ProjectConfig } from './project-config.ts'
export { panelAddress, siteAddress } from './public-addresses.ts'
export { readEarly } from './read-early.ts'
export { type RejectedValue, type RuntimeSettings, runtimeSettingsService } from './runtime-settings.ts'
export {
  defineSetting,
  type Environment,
  envNameOf,
  type FileValue,
  fileValues,
  type ReadSetting,
  type Setting,
  type SettingCheck,
  type SettingKeywords,
  type SettingProblem,
  type SettingTier,
  settings,
  settingTiers,
} from './setting.ts'
export { describeAllowed, isAllowed, limitsOf, type SettingType, typeOf } from './value.ts'
