// libqrencode: a text as a QR symbol.
#pragma once
#include <qrencode.h>
