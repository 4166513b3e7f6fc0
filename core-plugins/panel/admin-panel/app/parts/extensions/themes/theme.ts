import type { ListedTheme } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'

/** The panel's default look. */
export const plainTheme = (others: readonly ListedTheme[]): ListedTheme => ({
  ...{ name: '', displayName: '', version: '', problem: null },
  description: t('operations.themes.plainText'),
  isActive: !others.some(({ isActive }) => isActive),
  properties: { light: {}, dark: {} },
})

export const shownName = ({ name, displayName }: ListedTheme): string =>
  name === '' ? t('operations.themes.plain') : displayName || name
