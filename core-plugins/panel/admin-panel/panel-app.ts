import { hasSources } from './build/app-sources.ts'
import { buildApp } from './build/build-app.ts'
import type { BuiltApp } from './build/built-app.ts'
import { createLiveApp } from './build/live-app.ts'

/** The application that browsers get. */
export interface PanelApp {
  current(): Promise<BuiltApp>
  /** Calls back after each further build; returns a function that ends that. */
  onBuilt(callback: () => void): () => void
  close(): Promise<void>
}

/** `isLive` builds it again after each change of its sources, if they are there. Builds nothing before somebody opens the panel, so that a service that nobody opens it on pays nothing. */
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
