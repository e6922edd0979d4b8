package surface

import (
	"strings"
	"sync"
)

// readNames reads a table: a name of the code, then the packages that may hold it.
func readNames(table string) map[string][]string {
	names := map[string][]string{}
	for line := range strings.Lines(table) {
		if words := strings.Fields(line); len(words) > 1 {
			names[words[0]] = words[1:]
		}
	}
	return names
}

// distributions are the distributions of Python of modules that have another name, the usual one first.
var distributions = sync.OnceValue(func() map[string][]string {
	return readNames(`
Crypto pycryptodome pycrypto
Levenshtein levenshtein python-levenshtein
MySQLdb mysqlclient
OpenSSL pyopenssl
PIL pillow
Xlib python-xlib
_pytest pytest
attr attrs
bs4 beautifulsoup4
corsheaders django-cors-headers
cv2 opencv-python opencv-python-headless opencv-contrib-python
dateutil python-dateutil
discord discord-py
docx python-docx
dotenv python-dotenv
faiss faiss-cpu faiss-gpu
fitz pymupdf
flask_sqlalchemy flask-sqlalchemy
gi pygobject
git gitpython
haystack haystack-ai django-haystack
jose python-jose
jwt pyjwt
ldap python-ldap
magic python-magic
markdown markdown
mpl_toolkits matplotlib
multipart python-multipart
nacl pynacl
pkg_resources setuptools
pptx python-pptx
psycopg2 psycopg2 psycopg2-binary
pylab matplotlib
rest_framework djangorestframework
ruamel ruamel-yaml
sentence_transformers sentence-transformers
serial pyserial
skimage scikit-image
sklearn scikit-learn
slugify python-slugify
socks pysocks
telegram python-telegram-bot
tensorflow tensorflow tensorflow-cpu tensorflow-gpu
typing_extensions typing-extensions
usb pyusb
webdriver_manager webdriver-manager
win32api pywin32
win32con pywin32
wx wxpython
yaml pyyaml
zmq pyzmq
`)
})

// artefacts are the artefacts of packages of the JVM whose names do not begin with the group.
var artefacts = sync.OnceValue(func() map[string][]string {
	return readNames(`
com.fasterxml.jackson.annotation com.fasterxml.jackson.core:jackson-annotations
com.fasterxml.jackson.core com.fasterxml.jackson.core:jackson-core
com.fasterxml.jackson.databind com.fasterxml.jackson.core:jackson-databind
com.google.common com.google.guava:guava
com.google.gson com.google.code.gson:gson
dagger com.google.dagger:dagger
jakarta.persistence jakarta.persistence:jakarta.persistence-api
jakarta.servlet jakarta.servlet:jakarta.servlet-api
jakarta.validation jakarta.validation:jakarta.validation-api
javax.inject javax.inject:javax.inject
kotlinx.coroutines org.jetbrains.kotlinx:kotlinx-coroutines-core
kotlinx.serialization org.jetbrains.kotlinx:kotlinx-serialization-json org.jetbrains.kotlinx:kotlinx-serialization-core
lombok org.projectlombok:lombok
okhttp3 com.squareup.okhttp3:okhttp
okio com.squareup.okio:okio
org.apache.commons.cli commons-cli:commons-cli
org.apache.commons.codec commons-codec:commons-codec
org.apache.commons.io commons-io:commons-io
org.apache.commons.logging commons-logging:commons-logging
org.apache.log4j log4j:log4j
org.hamcrest org.hamcrest:hamcrest org.hamcrest:hamcrest-core org.hamcrest:hamcrest-all org.hamcrest:hamcrest-library
org.junit junit:junit junit:junit-dep
org.junit.jupiter org.junit.jupiter:junit-jupiter org.junit.jupiter:junit-jupiter-api
org.mockito org.mockito:mockito-core org.mockito:mockito-all org.mockito:mockito-junit-jupiter
reactor.core io.projectreactor:reactor-core
retrofit2 com.squareup.retrofit2:retrofit
`)
})
