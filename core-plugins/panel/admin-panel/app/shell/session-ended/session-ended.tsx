import { useRef, useState } from 'react'
import { t } from '../../ground/i18n/translate.ts'
import { ariaKeys } from '../../ground/keyboard/combination.ts'
import { isTypedInto, useShortcuts } from '../../ground/keyboard/shortcuts.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import classes from './session-ended.module.css'
import { SignInAgain, type SignInAgainProps } from './sign-in-again.tsx'

/**
 * Asks for the password immediately, unless the user is typing: further keystrokes must not go into a password field. In that
 * case it shows a notice until the user turns to it.
 */
export default function SessionEnded(account: SignInAgainProps) {
  const [isAsking, setAsking] = useState(() => writtenInto() === undefined)
  return isAsking ? <SignInAgain {...account} /> : <EndedNotice onSignIn={() => setAsking(true)} />
}

function EndedNotice({ onSignIn }: { readonly onSignIn: () => void }) {
  const lastWritten = useRef(writtenInto())
  const signIn = () => {
    // Returns the focus to the text, since the button in the notice is gone.
    if (lastWritten.current?.isConnected) lastWritten.current.focus()
    onSignIn()
  }
  useShortcuts({ group: t('session.endedTitle') }, [
    { keys: 'Mod+s', label: t('session.signIn'), run: signIn },
  ])
  return (
    // Dialogs hide everything else from screen readers and trap the focus, except elements marked as top layer.
    <div className={classes.notice} role="alert" data-react-aria-top-layer="true">
      <Icon name="info" />
      <p className={classes.text}>{t('session.endedWhileWriting')}</p>
      <Button size="s" look="primary" aria-keyshortcuts={ariaKeys('Mod+s')} onPress={signIn}>
        {t('session.signIn')}
      </Button>
    </div>
  )
}

/** The element that receives typed text. */
function writtenInto(): HTMLElement | undefined {
  const focused = document.activeElement
  return focused instanceof HTMLElement && isTypedInto(focused) ? focused : undefined
}
