// VirtualPhone
