import { useState } from 'react'
import { t } from '../ground/i18n/translate.ts'
import { IconButton } from '../ground/kit/button/button.tsx'
import { Drawer } from '../ground/kit/dialog/dialog.tsx'
import { Link } from '../ground/kit/link/link.tsx'
import { Toasts } from '../ground/kit/toast/toast.tsx'
import { Tooltips } from '../ground/kit/tooltip/tooltips.tsx'
import { AccountMenu } from './account-menu.tsx'
import { GlobalKeys } from './global-keys.tsx'
import { MissingNotice } from './missing-notice.tsx'
import { useMode } from './mode.ts'
import { Navigation } from './navigation.tsx'
import { useContributions } from './panel-part.ts'
import { Screens } from './router.tsx'
import { SignInDialog } from './session-ended/sign-in-dialog.tsx'
import classes from './shell.module.css'
import { useShownTheme } from './theme.ts'

/** The frame around every screen: top bar and navigation. */
export function Shell() {
  const { branding, layout } = useShownTheme()
  const side = layout.navigation === 'top' ? 'top' : 'side'
  return (
    <div className={`${classes.shell} ${classes[side]}`} data-navigation={side}>
      <a className={classes.skip} href="#main">
        {t('shell.skip')}
      </a>
      <header className={classes.bar}>
        <SmallScreenMenu />
        <div className={classes.head}>
          <Brand branding={branding} />
          <GlobalKeys />
        </div>
        <div className={classes.wide}>
          <Navigation />
        </div>
        <AccountMenu />
      </header>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Screens />
      </main>
      {useContributions('overlays').map((Overlay, index) => (
        <Overlay key={index} />
      ))}
      <Toasts />
      <Tooltips />
      <MissingNotice />
      <SignInDialog />
    </div>
  )
}

/** The media query for the logo on dark backgrounds, by chosen colour scheme. */
const darkMedia = { system: '(prefers-color-scheme: dark)', light: 'not all', dark: 'all' }

function Brand({ branding }: { readonly branding: Readonly<Record<string, string>> }) {
  const { title = '', logo, logoDark } = branding
  const chosenMode = useMode()
  return (
    <Link to="/" className={classes.brand}>
      {logo !== undefined && (
        <picture>
          {logoDark !== undefined && <source srcSet={logoDark} media={darkMedia[chosenMode]} />}
          <img src={logo} alt="" className={classes.logo} />
        </picture>
      )}
      <span className={classes.name}>{title === '' ? 'Mortise' : title}</span>
    </Link>
  )
}

function SmallScreenMenu() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={classes.narrow}>
      <IconButton icon="menu" label={t('shell.navigation')} onPress={() => setOpen(true)} />
      <Drawer title={t('shell.navigation')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Navigation onNavigate={() => setOpen(false)} />
      </Drawer>
    </div>
  )
}
