/** The URL of the sprite with all icons; see build/icon-sprite.ts. */
declare module 'panel:icons' {
  const address: string
  export default address
}

/** The names of these icons. */
declare module 'panel:icon-names' {
  const names: readonly string[]
  export default names
}

/** How each part of each catalogue is loaded, by language and part; see build/catalogues.ts. */
declare module 'panel:texts' {
  import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'

  interface Texts {
    readonly [name: string]: string | MessageFormatElement[] | Texts
  }
  const catalogues: Readonly<
    Record<string, Readonly<Record<string, () => Promise<{ readonly default: Texts }>>>>
  >
  export default catalogues
}
