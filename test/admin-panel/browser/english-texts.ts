import type { Page } from 'playwright-core'
import de from '../../../core-plugins/panel/admin-panel/app/ground/locales/de.json' with { type: 'json' }
import en from '../../../core-plugins/panel/admin-panel/app/ground/locales/en.json' with { type: 'json' }

interface Catalogue {
  readonly [name: string]: string | Catalogue
}

/** Texts of the English catalogue that are others in German, and that a page in German must not have. */
const english = onlyEnglish(en, de)

function onlyEnglish(texts: Catalogue, german: Catalogue): ReadonlySet<string> {
  const words = (catalogue: Catalogue): string[] =>
    Object.values(catalogue).flatMap((text) => (typeof text === 'string' ? text : words(text)))
  const all = new Set(words(german))
  return new Set(words(texts).filter((text) => !all.has(text) && !text.includes('{')))
}

/** What of a page is English: texts, and the names and hints of its controls. `own` are words of the content types. */
export async function englishOn(page: Page, own: readonly string[] = []): Promise<readonly string[]> {
  const shown = await page.evaluate<string[]>(`[...document.querySelectorAll('body *')].flatMap((element) => [
    ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
  ]).map((text) => text.trim()).filter(Boolean)`)
  return [...new Set(shown)].filter((text) => english.has(text) && !own.includes(text))
}
