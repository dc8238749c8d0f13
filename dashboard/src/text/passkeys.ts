import { catalogue } from './catalogue.ts'

export const passkeys = catalogue({
  title: ['Passkeys', 'Passkeys', 'Llaves de acceso'],
  lead: [
    'With a passkey, you sign in by fingerprint, face or device code. It replaces the password and the code from an app. It cannot be given away by mistake.',
    'Ein Passkey meldet Sie mit Fingerabdruck, Gesicht oder Gerätecode an. Er ersetzt Passwort und App-Code und kann nicht versehentlich verraten werden.',
    'Una llave de acceso inicia sesión con huella, rostro o código del dispositivo. Sustituye a la contraseña y al código, y no se puede revelar por error.',
  ],
  none: [
    'You have no passkey yet.',
    'Sie haben noch keinen Passkey.',
    'Aún no tiene llaves de acceso.',
  ],
  notHere: [
    'This browser does not offer passkeys at this address. Passkeys need https and a host name. On this machine, open the dashboard at localhost.',
    'Dieser Browser bietet unter dieser Adresse keine Passkeys. Sie brauchen https und einen Rechnernamen; öffnen Sie das Dashboard auf diesem Rechner unter localhost.',
    'Este navegador no ofrece llaves de acceso en esta dirección. Requieren https y un nombre de host; en este equipo, abra el panel en localhost.',
  ],
  add: ['Add passkey', 'Passkey hinzufügen', 'Añadir llave de acceso'],
  addLead: [
    'The browser asks where to keep it: this device, your phone, or a security key.',
    'Der Browser fragt, wo er liegen soll: auf diesem Gerät, Ihrem Telefon oder einem Sicherheitsschlüssel.',
    'El navegador pregunta dónde guardarla: este dispositivo, su teléfono o una llave de seguridad.',
  ],
  nameHelp: [
    'A name that you recognise, such as Laptop.',
    'Damit Sie ihn erkennen, etwa Laptop.',
    'Para reconocerla, como Portátil.',
  ],
  backedUp: [
    'Copied to your other devices',
    'Auf Ihre anderen Geräte kopiert',
    'Copiada en sus otros dispositivos',
  ],
  lastUsed: ['Last used', 'Zuletzt benutzt', 'Último uso'],
  rename: ['Rename', 'Umbenennen', 'Renombrar'],
  remove: ['Delete passkey', 'Passkey löschen', 'Eliminar llave de acceso'],
  removeLead: [
    '{name} no longer signs you in. Delete it on the device too.',
    '{name} meldet nicht mehr an. Löschen Sie ihn auch auf dem Gerät.',
    '{name} ya no inicia sesión. Elimínela también en el dispositivo.',
  ],
  use: ['Use a passkey', 'Passkey verwenden', 'Usar una llave de acceso'],
  refused: [
    'The browser returned no passkey. Try again, or use your password.',
    'Der Browser gab keinen Passkey. Versuchen Sie es erneut, oder nutzen Sie Ihr Passwort.',
    'El navegador no dio ninguna llave. Inténtelo de nuevo o use su contraseña.',
  ],
})
