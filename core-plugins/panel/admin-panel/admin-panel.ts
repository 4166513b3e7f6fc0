export { panelPath } from './panel-path.ts'
