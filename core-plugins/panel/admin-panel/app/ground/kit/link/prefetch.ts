let prefetcher: (path: string) => void = () => {}

/** Called at the start, where the screens are known. Links know of it only here: screens consist of links. */
export function setPrefetcher(prefetch: (path: string) => void) {
  prefetcher = prefetch
}

/** Fetches the code of the screen that a path leads to. */
export const prefetchScreen = (path: string) => prefetcher(path)
