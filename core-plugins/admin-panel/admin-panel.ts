export { supportedBrowsers } from './build/supported-browsers.ts'
export { withEsbuild } from './build/with-esbuild.ts'
export { type PanelModule, panelModules } from './panel-modules.ts'
export { panelPath } from './panel-path.ts'
