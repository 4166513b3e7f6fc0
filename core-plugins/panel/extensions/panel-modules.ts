import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'

/**
 * A plugin's panel code: a script with a default export made by `definePanelModule` of `mortise/panel`. The service bundles it
 * when the panel is opened; see docs/panel-plugins.md.
 */
export interface PanelModule {
  /**
   * The path relative to the plugin's own file, `./panel.tsx`, or a file URL. If the file does not exist, `.js` is tried instead.
   */
  readonly file: string | URL
  /** Counts errors of the script under the plugin's name; set by the service for third-party plugins. */
  readonly report?: (where: string, error: unknown) => void
}

/** Scripts of plugins for the panel. Contribute in `register`. */
export const panelModules: ExtensionPoint<PanelModule> = extensionPoint('panelModules')
