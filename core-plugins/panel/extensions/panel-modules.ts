import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'

/**
 * What a plugin adds to the panel as code: a script whose default export is made by `definePanelModule` of
 * `mortise/panel`. The service bundles it when somebody opens the panel; see docs/panel-plugins.md.
 */
export interface PanelModule {
  /** The path from the plugin's own file, `./panel.tsx`, or a file URL. `.js` stands in for a file that is not there. */
  readonly file: string | URL
  /** Counts errors of the script under the plugin's name; set by the service for third-party plugins. */
  readonly report?: (where: string, error: unknown) => void
}

/** Scripts of plugins for the panel. Contribute in `register`. */
export const panelModules: ExtensionPoint<PanelModule> = extensionPoint('panelModules')
