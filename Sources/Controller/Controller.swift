// Controller
