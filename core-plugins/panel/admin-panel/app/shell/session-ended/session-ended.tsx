import { useRef, useState } from 'react'
import { t } from '../../ground/i18n/translate.ts'
import { ariaKeys } from '../../ground/keyboard/combination.ts'
import { isTypedInto, useShortcuts } from '../../ground/keyboard/shortcuts.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import classes from './session-ended.module.css'
import { SignInAgain, type SignInAgainProps } from './sign-in-again.tsx'

/**
 * Asks for the password at once, unless somebody is writing: what they type on must not go into a field for passwords.
 * Then a notice waits until they turn to it.
 */
export default function SessionEnded(account: SignInAgainProps) {
  const [isAsking, setAsking] = useState(() => writtenInto() === undefined)
  return isAsking ? <SignInAgain {...account} /> : <EndedNotice onSignIn={() => setAsking(true)} />
}

function EndedNotice({ onSignIn }: { readonly onSignIn: () => void }) {
  const lastWritten = useRef(writtenInto())
  const signIn = () => {
    // The dialog gives the focus back to where it was: to the text, not to a button that is gone.
    if (lastWritten.current?.isConnected) lastWritten.current.focus()
    onSignIn()
  }
  useShortcuts({ group: t('session.endedTitle') }, [
    { keys: 'Mod+s', label: t('session.signIn'), run: signIn },
  ])
  return (
    // Dialogs hide everything else from screen readers and keep the focus, except for what says that it stands above them.
    <div className={classes.notice} role="alert" data-react-aria-top-layer="true">
      <Icon name="info" />
      <p className={classes.text}>{t('session.endedWhileWriting')}</p>
      <Button size="s" look="primary" aria-keyshortcuts={ariaKeys('Mod+s')} onPress={signIn}>
        {t('session.signIn')}
      </Button>
    </div>
  )
}

/** What the next key would write into. */
function writtenInto(): HTMLElement | undefined {
  const focused = document.activeElement
  return focused instanceof HTMLElement && isTypedInto(focused) ? focused : undefined
}
