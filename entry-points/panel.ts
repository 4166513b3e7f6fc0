/** `mortise/panel`: what a plugin's part of the panel is written with; see docs/panel-plugins.md. */
export * from '../core-plugins/panel/admin-panel/panel-api/panel-api.ts'
