import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const account = catalogue({
  title: navigation.account,
  identity: ['Name and email address', 'Name und E-Mail-Adresse', 'Nombre y correo'],
  changeName: ['Change name', 'Namen ändern', 'Cambiar nombre'],
  changeNameLead: [
    'Your team sees this name, for example in the audit trail. Past entries keep the old one.',
    'Ihr Team sieht diesen Namen, etwa im Protokoll. Frühere Einträge behalten den alten.',
    'Su equipo ve este nombre, por ejemplo en el registro. Las entradas pasadas conservan el anterior.',
  ],
  changeEmail: ['Change email address', 'E-Mail-Adresse ändern', 'Cambiar correo'],
  changeEmailLead: [
    'You get a link that confirms the new address. You sign in with the old address until you use the link. The old address gets a mail about the change.',
    'Sie erhalten einen Link, der die neue Adresse bestätigt. Bis dahin melden Sie sich mit der alten an. Die alte Adresse wird benachrichtigt.',
    'Recibe un enlace que confirma el correo nuevo. Hasta usarlo, entra con el anterior. El correo anterior recibe un aviso.',
  ],
  newEmail: ['New email address', 'Neue E-Mail-Adresse', 'Correo nuevo'],
  linkMailed: [
    'A link was sent to {email}. Open it within an hour, in a browser where you are signed in.',
    'Ein Link ging an {email}. Öffnen Sie ihn binnen einer Stunde in einem Browser, in dem Sie angemeldet sind.',
    'Se envió un enlace a {email}. Ábralo antes de una hora en un navegador donde haya entrado.',
  ],
  linkShown: [
    'Mail is not set up, so the link is here. Open it within an hour to sign in with {email} from then on.',
    'E-Mail ist nicht eingerichtet, daher steht der Link hier. Öffnen Sie ihn binnen einer Stunde; danach melden Sie sich mit {email} an.',
    'El correo no está configurado, por eso el enlace está aquí. Ábralo antes de una hora; después entrará con {email}.',
  ],
  openLink: ['Open the link', 'Link öffnen', 'Abrir el enlace'],
  confirmEmail: [
    'Confirm new email address',
    'Neue E-Mail-Adresse bestätigen',
    'Confirmar correo nuevo',
  ],
  confirmEmailLead: [
    'You opened the link for a new email address. Confirm it to complete the change.',
    'Sie haben den Link für eine neue E-Mail-Adresse geöffnet. Bestätigen Sie die Änderung.',
    'Abrió el enlace de un correo nuevo. Confírmelo para completar el cambio.',
  ],
  confirmEmailConsequence: [
    'From now on you sign in with the new address. The old one no longer works.',
    'Ab jetzt melden Sie sich mit der neuen Adresse an. Die alte gilt nicht mehr.',
    'Desde ahora entra con el correo nuevo. El anterior deja de valer.',
  ],
  emailChanged: [
    'Your email address was changed.',
    'Ihre E-Mail-Adresse wurde geändert.',
    'Su correo se cambió.',
  ],
  password: ['Password', 'Passwort', 'Contraseña'],
  current: ['Current password', 'Aktuelles Passwort', 'Contraseña actual'],
  newPassword: [
    'New password, at least 8 characters',
    'Neues Passwort, mindestens 8 Zeichen',
    'Contraseña nueva, 8 caracteres o más',
  ],
  setPassword: ['Set password', 'Passwort festlegen', 'Establecer contraseña'],
  passwordLead: [
    'Setting a new password ends your other sessions.',
    'Ihre anderen Sitzungen enden.',
    'Sus otras sesiones terminan.',
  ],
  hasPassword: ['You have a password.', 'Sie haben ein Passwort.', 'Tiene una contraseña.'],
  noPassword: [
    'You have no password yet.',
    'Sie haben noch kein Passwort.',
    'Aún no tiene contraseña.',
  ],
  passwordSet: ['The password was set.', 'Das Passwort wurde gesetzt.', 'La contraseña se guardó.'],
  codes: ['Authenticator app', 'Authenticator-App', 'Aplicación de autenticación'],
  codesOn: [
    'To sign in with a password, you also need a code from your app.',
    'Die Anmeldung mit Passwort verlangt einen Code Ihrer App.',
    'Entrar con contraseña requiere un código de su aplicación.',
  ],
  codesOff: [
    'A password alone is enough to sign in. With codes, a stolen password is not.',
    'Ein Passwort allein genügt. Ein Code macht ein gestohlenes Passwort nutzlos.',
    'Basta la contraseña. Un código inutiliza una contraseña robada.',
  ],
  setUpApp: ['Set up an app', 'App einrichten', 'Configurar una aplicación'],
  setUpAppLead: [
    'You get a secret for your app. It takes effect after you enter a code from the app.',
    'Sie erhalten ein Geheimnis für Ihre App. Es gilt, sobald Sie einen Code eingeben.',
    'Recibe un secreto para su aplicación. Vale cuando escriba un código.',
  ],
  confirm: ['Turn on codes', 'Codes einschalten', 'Activar códigos'],
  code: [
    'Code from your app, 6 digits',
    'Code Ihrer App, 6 Ziffern',
    'Código de su aplicación, 6 cifras',
  ],
  qrCode: [
    'QR code for the authenticator app',
    'QR-Code für die Authenticator-App',
    'Código QR para la aplicación',
  ],
  secretLead: [
    'Scan this code with your app, or enter the secret below. Then confirm with the code that the app shows.',
    'Scannen Sie diesen Code mit Ihrer App, oder tippen Sie das Geheimnis darunter ein. Bestätigen Sie dann mit dem angezeigten Code.',
    'Escanee este código con su aplicación o escriba el secreto de abajo. Después confirme con el código que muestra.',
  ],
  disable: ['Turn off codes', 'Codes ausschalten', 'Desactivar códigos'],
  disableLead: [
    'You will sign in with the password alone. Your recovery codes stop working.',
    'Ein Passwort allein genügt dann wieder. Ihre Wiederherstellungscodes enden.',
    'Bastará la contraseña. Sus códigos de recuperación terminan.',
  ],
  sessions: ['Sessions', 'Sitzungen', 'Sesiones'],
  browser: ['Browser', 'Browser', 'Navegador'],
  address: ['IP address', 'IP-Adresse', 'Dirección IP'],
  since: ['Signed in', 'Angemeldet', 'Inicio'],
  seen: ['Last seen', 'Zuletzt gesehen', 'Última vez'],
  thisOne: ['This browser', 'Dieser Browser', 'Este navegador'],
  end: ['End session', 'Sitzung beenden', 'Terminar sesión'],
  endLead: [
    'That browser has to sign in again.',
    'Jener Browser muss sich neu anmelden.',
    'Ese navegador deberá entrar de nuevo.',
  ],
})
