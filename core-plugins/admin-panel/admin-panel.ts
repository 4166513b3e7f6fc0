export { supportedBrowsers } from './build/supported-browsers.ts'
export { type PanelModule, panelModules } from './panel-modules.ts'
export { panelPath } from './panel-path.ts'
