import { useLocation } from 'wouter'
import { useAccess } from '../ground/access/access.ts'
import { localeName } from '../ground/i18n/locale-name.ts'
import { allLanguages, chooseLanguage, language, t } from '../ground/i18n/translate.ts'
import { Button } from '../ground/kit/button/button.tsx'
import { Menu } from '../ground/kit/menu/menu.tsx'
import { session } from '../ground/session/session.ts'
import { allModes, chooseMode, modeIcons, useMode } from './mode.ts'

/** The menu of the signed-in user: name, personal settings, sign-out. */
export function AccountMenu() {
  const { user } = useAccess()
  const [, go] = useLocation()
  const chosenMode = useMode()
  const others = allLanguages.filter((each) => each !== language())
  return (
    <Menu
      label={t('shell.account')}
      actions={[
        {
          id: 'profile',
          icon: 'user',
          label: t('shell.profile'),
          onAction: () => go('/profile'),
        },
        ...allModes
          .filter((each) => each !== chosenMode)
          .map((each) => ({
            id: `mode-${each}`,
            icon: modeIcons[each],
            label: t(`shell.mode.${each}`),
            onAction: () => chooseMode(each),
          })),
        ...others.map((each) => ({
          id: each,
          icon: 'languages',
          label: t('shell.speak', { language: localeName(each) }),
          onAction: () => chooseLanguage(each),
        })),
        {
          id: 'sign-out',
          icon: 'log-out',
          label: t('shell.signOut'),
          onAction: () => void session.signOut(),
        },
      ]}
    >
      <Button look="plain" icon="circle-user">
        {user.username}
      </Button>
    </Menu>
  )
}
