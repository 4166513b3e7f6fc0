import { t } from '../../../ground/i18n/translate.ts'

/** A theme, as the service lists it. */
export interface ListedTheme {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly version: string
  readonly isActive: boolean
  /** Why it cannot be used. */
  readonly problem: string | null
  /** Values of custom properties by their names without the hyphens; those of the dark replace others there. */
  readonly properties: {
    readonly light: Readonly<Record<string, string>>
    readonly dark: Readonly<Record<string, string>>
  }
}

/** The look that the panel has without a theme. */
export const plainTheme = (others: readonly ListedTheme[]): ListedTheme => ({
  ...{ name: '', displayName: '', version: '', problem: null },
  description: t('operations.themes.plainText'),
  isActive: !others.some(({ isActive }) => isActive),
  properties: { light: {}, dark: {} },
})

export const shownName = ({ name, displayName }: ListedTheme): string =>
  name === '' ? t('operations.themes.plain') : displayName || name
