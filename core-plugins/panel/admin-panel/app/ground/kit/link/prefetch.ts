let prefetcher: (path: string) => void = () => {}

/**
 * Called at startup, where the screens are known. It is injected because screens import links, so links cannot import screens.
 */
export function setPrefetcher(prefetch: (path: string) => void) {
  prefetcher = prefetch
}

/** Prefetches the code of the screen at a path. */
export const prefetchScreen = (path: string) => prefetcher(path)
