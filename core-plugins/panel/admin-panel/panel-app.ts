import { hasSources } from './build/app-sources.ts'
import { buildApp } from './build/build-app.ts'
import type { BuiltApp } from './build/built-app.ts'
import { createLiveApp } from './build/live-app.ts'

/** The application served to browsers. */
export interface PanelApp {
  current(): Promise<BuiltApp>
  /** Calls the callback after each later build; returns a function to unsubscribe. */
  onBuilt(callback: () => void): () => void
  close(): Promise<void>
}

/**
 * If `isLive`, rebuilds it after each change of its sources, if present. Nothing is built before the panel is first opened, so
 * that a service without panel users pays nothing.
 */
export function createPanelApp({ isLive }: { readonly isLive: boolean }): PanelApp {
  if (isLive && hasSources()) return createLiveApp()
  let app: Promise<BuiltApp> | undefined
  return {
    current() {
      app ??= buildApp().catch((error) => {
        app = undefined
        throw error
      })
      return app
    },
    onBuilt: () => () => {},
    close: async () => {},
  }
}
