import { catalogue } from './catalogue.ts'

/** The texts of the dialogs that ask for a sign-in or a password. They are loaded after the first page. */
export const promptTexts = catalogue({
  sessionEnded: ['Your session has ended', 'Ihre Sitzung ist beendet', 'Su sesión terminó'],
  sessionLead: [
    'Sign in again to continue. Nothing you typed is lost.',
    'Melden Sie sich wieder an. Ihre Eingaben bleiben erhalten.',
    'Inicie sesión de nuevo. No se pierde lo que escribió.',
  ],
  linkLead: [
    'Your account has no password. Run `tradepost dashboard` on the server, open its link in another tab of this browser, then continue here. Nothing you typed is lost.',
    'Ihr Konto hat kein Passwort. Führen Sie auf dem Server `tradepost dashboard` aus, öffnen Sie den Link in einem anderen Tab dieses Browsers und machen Sie dann hier weiter. Ihre Eingaben bleiben erhalten.',
    'Su cuenta no tiene contraseña. Ejecute `tradepost dashboard` en el servidor, abra su enlace en otra pestaña de este navegador y continúe aquí. No se pierde lo que escribió.',
  ],
  notSignedIn: [
    'You are not signed in yet.',
    'Sie sind noch nicht angemeldet.',
    'Aún no ha iniciado sesión.',
  ],
  otherUser: [
    'Another user signed in',
    'Eine andere Person hat sich angemeldet',
    'Otra persona inició sesión',
  ],
  otherUserLead: [
    'It happened in another tab of this browser. Sign in as yourself to continue here: nothing you typed is lost. Or load the page again as the other user.',
    'Das geschah in einem anderen Tab dieses Browsers. Melden Sie sich selbst an, um hier weiterzuarbeiten: Ihre Eingaben bleiben erhalten. Oder laden Sie die Seite als die andere Person neu.',
    'Ocurrió en otra pestaña de este navegador. Inicie sesión usted para continuar aquí: no se pierde lo que escribió. O recargue la página como la otra persona.',
  ],
  loadAgain: ['Load the page again', 'Seite neu laden', 'Recargar la página'],
  stepUp: [
    'Enter your password again',
    'Passwort erneut eingeben',
    'Escriba su contraseña otra vez',
  ],
  stepUpLead: [
    'Keys, secrets, team and payouts require it. You are not asked again for 10 minutes.',
    'Keys, Geheimnisse, Team und Auszahlungen verlangen es. Es gilt 10 Minuten.',
    'Claves, secretos, equipo y pagos lo requieren. Vale 10 minutos.',
  ],
  noPassword: [
    'Your account has no password yet. Set one first.',
    'Ihr Konto hat noch kein Passwort. Legen Sie zuerst eines fest.',
    'Su cuenta aún no tiene contraseña. Establezca una primero.',
  ],
  setPassword: ['Set a password', 'Passwort festlegen', 'Establecer contraseña'],
  newPassword: [
    'New password, at least 8 characters',
    'Neues Passwort, mindestens 8 Zeichen',
    'Contraseña nueva, 8 caracteres o más',
  ],
  password: ['Password', 'Passwort', 'Contraseña'],
  code: [
    'Code from your authenticator app',
    'Code Ihrer Authenticator-App',
    'Código de su aplicación',
  ],
  signIn: ['Sign in', 'Anmelden', 'Iniciar sesión'],
  continue: ['Continue', 'Weiter', 'Continuar'],
})
