import { catalogue } from './catalogue.ts'

/** Actions on client apps, license keys and protected records, with a name of their own. */
export const licensingActions: Readonly<Record<string, string>> = catalogue({
  'app.rotate_signing_key': [
    'Replace signing key of an app',
    'Signaturschlüssel einer App ersetzen',
    'Reemplazar clave de firma de una aplicación',
  ],
  'device.activate': ['Activate device', 'Gerät aktivieren', 'Activar dispositivo'],
  'device.ban': ['Ban device', 'Gerät sperren', 'Bloquear dispositivo'],
  'device.deactivate': ['Deactivate device', 'Gerät abmelden', 'Desactivar dispositivo'],
  'device.delete': ['Remove device', 'Gerät entfernen', 'Quitar dispositivo'],
  'device.free': ['Free a device slot', 'Geräteplatz freigeben', 'Liberar un dispositivo'],
  'device.issue_file': [
    'Issue license file',
    'Lizenzdatei ausstellen',
    'Emitir archivo de licencia',
  ],
  'license_key.ban': ['Ban license key', 'Lizenzschlüssel sperren', 'Bloquear clave de licencia'],
  'license_key.batch': [
    'Change several license keys',
    'Mehrere Lizenzschlüssel ändern',
    'Cambiar varias claves de licencia',
  ],
  'license_key.create_for_order': [
    'Issue license key for an order',
    'Lizenzschlüssel für Bestellung ausstellen',
    'Emitir clave de licencia para un pedido',
  ],
  'license_key.end_sessions': [
    'End sessions of a license key',
    'Sitzungen eines Lizenzschlüssels beenden',
    'Terminar sesiones de una clave',
  ],
  'license_key.extend': [
    'Extend license key',
    'Lizenzschlüssel verlängern',
    'Prolongar clave de licencia',
  ],
  'license_key.free_device': [
    'Remove device of a license key',
    'Gerät eines Lizenzschlüssels entfernen',
    'Quitar dispositivo de una clave',
  ],
  'license_key.get': [
    'Show text of a license key',
    'Text eines Lizenzschlüssels zeigen',
    'Mostrar texto de una clave',
  ],
  'license_key.import': [
    'Import license keys',
    'Lizenzschlüssel importieren',
    'Importar claves de licencia',
  ],
  'license_key.issue_file': [
    'Issue license file',
    'Lizenzdatei ausstellen',
    'Emitir archivo de licencia',
  ],
  'license_key.reset': [
    'Remove all devices of a license key',
    'Alle Geräte eines Lizenzschlüssels entfernen',
    'Quitar todos los dispositivos de una clave',
  ],
  'license_key.reset_devices': [
    'Remove all devices of a license key',
    'Alle Geräte eines Lizenzschlüssels entfernen',
    'Quitar todos los dispositivos de una clave',
  ],
  'license_key.rotate': [
    'Replace text of a license key',
    'Text eines Lizenzschlüssels ersetzen',
    'Reemplazar texto de una clave',
  ],
  'license_key.suspend': [
    'Suspend license key',
    'Lizenzschlüssel aussetzen',
    'Suspender clave de licencia',
  ],
  'license_key.unban': [
    'Unban license key',
    'Lizenzschlüssel entsperren',
    'Desbloquear clave de licencia',
  ],
  'remote_setting.get': [
    'Show value of a remote setting',
    'Wert einer Remote-Einstellung zeigen',
    'Mostrar valor de un ajuste remoto',
  ],
  'remote_setting.list': [
    'Show values of remote settings',
    'Werte von Remote-Einstellungen zeigen',
    'Mostrar valores de ajustes remotos',
  ],
  'remote_setting.list_versions': [
    'Show versions of a remote setting',
    'Versionen einer Remote-Einstellung zeigen',
    'Mostrar versiones de un ajuste remoto',
  ],
  'serverside_file.replace_content': [
    'Replace content of a file',
    'Inhalt einer Datei ersetzen',
    'Reemplazar contenido de un archivo',
  ],
  'serverside_string.create': [
    'Create protected string',
    'Geschützten Text anlegen',
    'Crear texto protegido',
  ],
  'serverside_string.delete': [
    'Delete protected string',
    'Geschützten Text löschen',
    'Eliminar texto protegido',
  ],
  'serverside_string.replace': [
    'Replace value of a string',
    'Wert eines Textes ersetzen',
    'Reemplazar valor de un texto',
  ],
  'serverside_string.roll_back': ['Roll back string', 'Text zurücksetzen', 'Restaurar texto'],
  'serverside_string.get': [
    'Show value of a string',
    'Wert eines Textes zeigen',
    'Mostrar valor de un texto',
  ],
  'serverside_string.switch': [
    'Switch string on or off',
    'Text ein- oder ausschalten',
    'Activar o desactivar texto',
  ],
  'string_version.list': [
    'Show versions of a string',
    'Versionen eines Textes zeigen',
    'Mostrar versiones de un texto',
  ],
})
