import de from '../ground/locales/sign-in/de.json'
import en from '../ground/locales/sign-in/en.json'

const languages: Readonly<Record<string, Readonly<Record<keyof typeof en, string>>>> = { en, de }

const preferred = [localStorage.getItem('mortise.language') ?? '', ...navigator.languages]
  .map((tag) => tag.slice(0, 2).toLowerCase())
  .find((tag) => tag in languages)

export const language = preferred ?? 'en'

/** The texts of this page, bundled with its script: the application's catalogues are many times larger. */
export const texts = languages[language] ?? en
