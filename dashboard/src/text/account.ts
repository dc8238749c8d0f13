import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const account = catalogue({
  title: navigation.account,
  password: ['Password', 'Passwort', 'Contraseña'],
  current: ['Current password', 'Aktuelles Passwort', 'Contraseña actual'],
  fresh: [
    'New password, at least 8 characters',
    'Neues Passwort, mindestens 8 Zeichen',
    'Contraseña nueva, 8 caracteres o más',
  ],
  setPassword: ['Set password', 'Passwort festlegen', 'Establecer contraseña'],
  passwordLead: [
    'Your other sessions end.',
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
    'Signing in with a password needs a code of your app.',
    'Die Anmeldung mit Passwort verlangt einen Code Ihrer App.',
    'Entrar con contraseña requiere un código de su aplicación.',
  ],
  codesOff: [
    'A password alone signs you in. A code makes a stolen password useless.',
    'Ein Passwort allein genügt. Ein Code macht ein gestohlenes Passwort nutzlos.',
    'Basta la contraseña. Un código inutiliza una contraseña robada.',
  ],
  begin: ['Set up an app', 'App einrichten', 'Configurar una aplicación'],
  beginLead: [
    'You get a secret for your app. It counts after you type a code of it.',
    'Sie erhalten ein Geheimnis für Ihre App. Es gilt, sobald Sie einen Code eingeben.',
    'Recibe un secreto para su aplicación. Vale cuando escriba un código.',
  ],
  confirm: ['Switch codes on', 'Codes einschalten', 'Activar códigos'],
  code: [
    'Code of your app, 6 digits',
    'Code Ihrer App, 6 Ziffern',
    'Código de su aplicación, 6 cifras',
  ],
  qrCode: [
    'QR code for the authenticator app',
    'QR-Code für die Authenticator-App',
    'Código QR para la aplicación',
  ],
  secretLead: [
    'Scan this code with your app, or type the secret below it. Then confirm with the code that the app shows.',
    'Scannen Sie diesen Code mit Ihrer App, oder tippen Sie das Geheimnis darunter ein. Bestätigen Sie dann mit dem angezeigten Code.',
    'Escanee este código con su aplicación o escriba el secreto de abajo. Después confirme con el código que muestra.',
  ],
  disable: ['Switch codes off', 'Codes ausschalten', 'Desactivar códigos'],
  disableLead: [
    'A password alone signs you in again. Your recovery codes end.',
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
