/** `mortise/panel`: everything for writing a plugin's part of the panel; see docs/panel-plugins.md. */
export * from '../core-plugins/panel/admin-panel/panel-api/panel-api.ts'
